package dev.unseen.flink.job;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/** A directory, into which each task writes its own files. */
record DirectoryOutput(String directory) implements JobOutput {
  @Override
  public void write(DataStream<JobRecord> records, String uid) {
    records
        .sinkTo(
            FileSink.<JobRecord>forRowFormat(
                    new Path(Place.uri(directory)), DirectoryOutput::writeLine)
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .build())
        .uid(uid)
        .name(uid);
  }

  /**
   * Rejects a directory that already contains files: their records would be mixed with those of
   * this run, and may have the same keys.
   *
   * @param option that names it
   * @throws IllegalArgumentException if it is not new
   */
  void requireNew(String option) throws IOException {
    Path path = new Path(Place.uri(directory));
    FileSystem files = path.getFileSystem();
    if (!files.exists(path)) {
      return;
    }
    if (!files.getFileStatus(path).isDir()) {
      throw new IllegalArgumentException(
          "%s '%s' is a file; name a directory".formatted(option, directory));
    }
    if (files.listStatus(path).length > 0) {
      throw new IllegalArgumentException(
          "%s '%s' has files already, and keys that are in them would be written again; empty it, or name another"
              .formatted(option, directory));
    }
  }

  private static void writeLine(JobRecord record, OutputStream out) throws IOException {
    if (record.bytes != null) { // of a message without a value there is nothing to write
      out.write(record.bytes);
      out.write('\n');
    }
  }
}
