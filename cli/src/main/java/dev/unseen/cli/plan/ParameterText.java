package dev.unseen.cli.plan;

import dev.unseen.commands.GateArguments;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.text.Print;
import java.util.Locale;
import java.util.Set;

/** Shows a parameter of a filter: as an option of the command, as Java code, and in tables. */
public final class ParameterText {
  /** The parameters that have an option of the command. */
  private static final Set<Parameter<?>> OPTIONS =
      Set.of(Parameter.HASHES, Parameter.MAX_FPR, Parameter.WINDOW, Parameter.SHARE);

  private ParameterText() {}

  /**
   * Returns the option with the value of a spec. It is empty if there is no option, or if the value
   * is {@link Window#NONE}.
   */
  public static <T> String shell(Parameter<T> parameter, FilterSpec spec) {
    T value = spec.get(parameter);
    if (parameter == Parameter.REFRESH) {
      return value == Refresh.ALWAYS ? "--refresh" : value == Refresh.NEVER ? "--no-refresh" : "";
    }
    boolean none = !OPTIONS.contains(parameter) || value.equals(Window.NONE);
    return none ? "" : GateArguments.name(parameter.name()) + " " + parameter.text(value);
  }

  /** Returns the builder call that sets the value of a spec. It is empty for most defaults. */
  public static String java(Parameter<?> parameter, FilterSpec spec) {
    Object value = spec.get(parameter);
    if (parameter == Parameter.HASHES) {
      return ".hashes(" + value + ")";
    }
    if (parameter == Parameter.MAX_FPR) {
      return ".maxFalsePositiveRate(" + Print.share(spec.get(Parameter.MAX_FPR)) + ")";
    }
    boolean shown = parameter == Parameter.SHARE || !value.equals(parameter.usual(spec.kind()));
    if (parameter == Parameter.REFRESH) {
      return shown ? ".refresh(Refresh." + value + ")" : "";
    }
    return shown ? ".set(Option.%s, %s)".formatted(constant(parameter), value) : "";
  }

  private static String constant(Parameter<?> parameter) {
    return parameter.name().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  /** Returns the remark that a table shows next to k. It is empty if there is none. */
  public static String remark(Parameter<?> parameter, FilterSpec spec) {
    if (parameter == Parameter.MAX_FPR) {
      return "FPR at most " + Print.rate(spec.get(Parameter.MAX_FPR));
    }
    return parameter == Parameter.SHARE
        ? Print.percent(spec.get(Parameter.SHARE), 2) + " of the keys"
        : "";
  }
}
