package dev.unseen.flink.job;

import org.apache.flink.streaming.api.datastream.DataStream;

/** Where records of the job go: a directory, or a topic. */
interface JobOutput {
  /**
   * Adds the sink to a job.
   *
   * @param uid by which Flink finds its state again
   */
  void write(DataStream<JobRecord> records, String uid);
}
