package dev.unseen.testing;

import java.lang.reflect.Method;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;

/** Runs the method of a {@link Property} once for each try, where JUnit would run it once. */
final class PropertyExtension implements ParameterResolver, InvocationInterceptor {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Choices.class;
  }

  /** Returns a value for JUnit's own call, which never takes place. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return Choices.replaying();
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> call,
      ExtensionContext context) {
    invocation.skip();
    Method method = call.getExecutable();
    Object test = call.getTarget().orElseThrow();
    String name = method.getDeclaringClass().getName() + "." + method.getName();
    int tries = method.getAnnotation(Property.class).tries();
    new PropertyCheck(choices -> ReflectionSupport.invokeMethod(method, test, choices))
        .run(seeds(name, tries, Long.getLong("property.seed"), effort()));
  }

  private static int effort() {
    return Integer.getInteger("property.effort", 1);
  }

  /** Returns the seeds to try: the only one, if it is given, or as many as the effort requires. */
  static LongStream seeds(String name, int tries, Long only, int effort) {
    return only != null
        ? LongStream.of(only)
        : LongStream.range(0, (long) tries * effort).map(i -> name.hashCode() + (i << 32));
  }
}
