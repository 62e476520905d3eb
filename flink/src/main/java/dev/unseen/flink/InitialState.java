package dev.unseen.flink;

import dev.unseen.snapshot.Snapshot;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.file.NoSuchFileException;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.apache.flink.core.fs.Path;

/**
 * A state file in shards that a job starts from, if no checkpoint or savepoint has a state. It is
 * read by the program that submits the job and by each task, so it is in a place that all can read.
 *
 * @param file as Flink's file systems name it
 */
record InitialState(URI file) implements Serializable {

  /**
   * Reads the file to its end, and keeps only what is known of all shards.
   *
   * @throws IllegalArgumentException if a job cannot start from it
   */
  Snapshot check() {
    BitSet held = new BitSet();
    Snapshot head;
    try {
      head =
          read(
              shard -> {
                held.set(shard);
                return false;
              });
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the initial state cannot be used: %s".formatted(describe(e)), e);
    }
    if (held.cardinality() < head.shards()) {
      throw new IllegalArgumentException(
          "the initial state %s holds %d of %d shards, and a job needs all of them; join it with the others first: unseen merge"
              .formatted(file, held.cardinality(), head.shards()));
    }
    return head;
  }

  /** Reads the shards of a task. */
  Snapshot read(IntPredicate shards) throws IOException {
    Path path = new Path(file);
    try (InputStream in = path.getFileSystem().open(path)) {
      return Snapshot.readShards(Channels.newChannel(in), file.toString(), shards);
    }
  }

  /** Returns a message for an exception; the message of some contains only the name of the file. */
  private String describe(IOException e) {
    return e instanceof FileNotFoundException || e instanceof NoSuchFileException
        ? "there is no file " + file
        : e.getMessage();
  }
}
