package dev.unseen.flink.job;

import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.reader.SimpleStreamFormat;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * Reads files as the shell does: each record with the bytes of its key and its time. A file is read
 * by one task, and from its beginning after a failure, up to where the checkpoint was.
 */
final class RecordFileFormat extends SimpleStreamFormat<JobRecord> {
  private static final long serialVersionUID = 1;

  private final GivenOptions options; // of records
  private final String file; // any of them: they have one format
  private final String name; // in messages

  /**
   * Creates the format of these files.
   *
   * @throws IllegalArgumentException if the options do not fit the files, or a file does not exist
   */
  RecordFileFormat(List<String> files, GivenOptions options) {
    this.options = options;
    this.file = files.get(0);
    this.name = files.size() == 1 ? file : "a file of the input"; // Flink does not report which
    RecordOptions.of(options).resolve(files);
    files.forEach(RecordFileFormat::requireReadable);
  }

  private static void requireReadable(String file) {
    if (!file.contains("://") && !Files.isReadable(Path.of(file))) {
      throw new IllegalArgumentException(
          "cannot read '%s'; name a file that exists, or one of a file system of Flink's such as s3://bucket/file"
              .formatted(file));
    }
  }

  @Override
  public Reader<JobRecord> createReader(Configuration config, FSDataInputStream in) {
    return new FileRecords(Source.of(in, name), RecordOptions.of(options).resolve(List.of(file)));
  }

  @Override
  public TypeInformation<JobRecord> getProducedType() {
    return JobRecord.TYPE;
  }
}
