package dev.unseen;

/**
 * Finds out why a function to {@code long} has thrown a {@code NullPointerException}: because it
 * returned a null {@code Long}, or because of a bug inside the function.
 */
final class Unboxing {
  private static final String[] BOXES = {"Long", "Integer", "Short", "Byte", "Character", "Number"};

  private Unboxing() {}

  /**
   * Returns whether a boxed number that is null was converted to a number in a call by this class.
   */
  static boolean failed(NullPointerException e, Class<?> caller) {
    StackTraceElement[] trace = e.getStackTrace();
    // The conversion that a method reference needs is in a class of the JDK without a frame, so the
    // caller of the function is on top.
    if (trace.length > 0 && trace[0].getClassName().equals(caller.getName())) {
      return true;
    }
    String message = String.valueOf(e.getMessage()); // of the JVM, such as: Cannot invoke
    for (String box : BOXES) { // "java.lang.Long.longValue()" because ... is null
      if (message.startsWith("Cannot invoke \"java.lang." + box + ".")
          && message.contains("Value()\" because")) {
        return true;
      }
    }
    return false;
  }
}
