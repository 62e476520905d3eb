package dev.unseen.snapshot;

import dev.unseen.jfr.FlightRecorder;
import java.nio.file.Path;

/** Work on a file, which the Flight Recorder shows when it has ended, if this Java has it. */
interface FileWork {
  /** Ends the work on a file of this size. */
  void end(Path file, long bytes);

  static FileWork save() {
    return FlightRecorder.isPresent() ? FileEvent.save() : (file, bytes) -> {};
  }

  static FileWork load() {
    return FlightRecorder.isPresent() ? FileEvent.load() : (file, bytes) -> {};
  }
}
