package dev.unseen.flink.job;

import java.nio.file.Files;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Files of lines, CSV, TSV or JSON Lines. Each is read by one task. */
final class FileInput implements JobInput {
  private final List<String> files;
  private final RecordFileFormat format;
  private final boolean times;

  /**
   * Creates an input of these files.
   *
   * @throws IllegalArgumentException if the options contradict each other, or a file does not exist
   */
  FileInput(List<String> files, RecordTexts records) {
    this.files = files;
    this.format = new RecordFileFormat(files, records);
    this.times = records.has("--time");
    files.forEach(FileInput::requireLocalFile);
  }

  private static void requireLocalFile(String file) {
    if (!file.contains("://") && !Files.isReadable(java.nio.file.Path.of(file))) {
      throw new IllegalArgumentException(
          "cannot read '%s'; name a file that exists, or one of a file system of Flink's such as s3://bucket/file"
              .formatted(file));
    }
  }

  @Override
  public DataStream<JobRecord> read(StreamExecutionEnvironment env) {
    Path[] paths = files.stream().map(file -> new Path(Place.uri(file))).toArray(Path[]::new);
    return env.fromSource(
            FileSource.forRecordStreamFormat(format, paths).build(),
            WatermarkStrategy.<JobRecord>forMonotonousTimestamps()
                .withTimestampAssigner((record, before) -> record.time),
            "files",
            JobRecord.TYPE)
        .uid("files");
  }

  @Override
  public boolean hasTimes() {
    return times;
  }
}
