package dev.unseen.cli;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Finds the lab, whose jars are on the class path only of those commands that need it. No class of
 * the lab is named here.
 */
final class Lab {
  private static final String NAME = "unseen-lab";

  private Lab() {}

  /** Returns the lab, or fails with the way out. */
  static ToolProvider require() throws Failure {
    return find()
        .orElseThrow(
            () ->
                Failure.usage(
                    "the jars of the lab are not on the class path; start it with the launcher,"
                        + " bin/unseen, or add lib/lab/* to the class path",
                    null));
  }

  /** Returns what the lab declares; of a lab that is not there its name and what it is for. */
  static CommandSpec spec() {
    return find()
        .filter(Supplier.class::isInstance)
        .map(tool -> (CommandSpec) ((Supplier<?>) tool).get())
        .orElseGet(Lab::outline)
        .name("lab");
  }

  private static CommandSpec outline() {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().description("Measures filters against the exact truth.");
    return spec;
  }

  private static Optional<ToolProvider> find() {
    return ServiceLoader.load(ToolProvider.class, Lab.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(tool -> tool.name().equals(NAME))
        .findFirst();
  }
}
