package dev.unseen.jfr;

/** Says whether this Java has the Flight Recorder. Classes of events load only if it has. */
public final class FlightRecorder {
  private static final boolean PRESENT = isPresent("jdk.jfr.Event");

  private FlightRecorder() {}

  public static boolean isPresent() {
    return PRESENT;
  }

  private static boolean isPresent(String type) {
    try {
      Class.forName(type, false, FlightRecorder.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
