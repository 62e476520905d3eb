package dev.unseen.snapshot;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Shows work on a file in a Java Flight Recorder recording. */
@Category("Unseen")
abstract class FileEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Size")
  @DataAmount
  long bytes;

  @Name("dev.unseen.Load")
  @Label("State Loaded")
  @Description("A filter's state was read from a file")
  static final class Load extends FileEvent {}

  @Name("dev.unseen.Save")
  @Label("State Saved")
  @Description("A filter's state was written and brought to the disk")
  static final class Save extends FileEvent {}

  static FileWork load() {
    return start(new Load());
  }

  static FileWork save() {
    return start(new Save());
  }

  private static FileWork start(FileEvent event) {
    event.begin();
    return event::end;
  }

  private void end(Path path, long size) {
    file = path.toString();
    bytes = size;
    commit();
  }
}
