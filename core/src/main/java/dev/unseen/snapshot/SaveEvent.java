package dev.unseen.snapshot;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Shows in a Java Flight Recorder recording that a state was saved. */
@Name("dev.unseen.Save")
@Label("State Saved")
@Category("Unseen")
@Description("A filter's state was written and brought to the disk")
final class SaveEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Size")
  @DataAmount
  long bytes;

  static FileWork start() {
    SaveEvent event = new SaveEvent();
    event.begin();
    return event::commit;
  }

  private void commit(Path path, long size) {
    file = path.toString();
    bytes = size;
    commit();
  }
}
