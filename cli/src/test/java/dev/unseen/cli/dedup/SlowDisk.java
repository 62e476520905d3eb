package dev.unseen.cli.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.commands.CliException;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.StateFile;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;

/** The command on a disk that takes three seconds to save a state. */
public final class SlowDisk extends Disk {
  private static final int MILLIS = 3000;

  private SlowDisk() {}

  public static void main(String[] args) throws CliException {
    DedupOptions options =
        Dedup.parse(args, new PrintWriter(System.out, true, UTF_8), help -> {}).orElseThrow();
    System.exit(
        new DedupCommand(
                options, new FileOutputStream(FileDescriptor.out), System.err, new SlowDisk())
            .run());
  }

  @Override
  void save(StateFile file, Snapshot state) throws IOException {
    try {
      Thread.sleep(MILLIS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    super.save(file, state);
  }
}
