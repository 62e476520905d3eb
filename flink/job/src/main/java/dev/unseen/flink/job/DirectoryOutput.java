package dev.unseen.flink.job;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/** A directory, into which each task writes files of its own. */
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

  private static void writeLine(JobRecord record, OutputStream out) throws IOException {
    if (record.bytes != null) { // of a message without a value there is nothing to write
      out.write(record.bytes);
      out.write('\n');
    }
  }
}
