package dev.unseen.flink.job;

import java.io.IOException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Where the records of the job come from: files, or a topic. */
interface JobInput {
  /** Adds the source to a job. */
  DataStream<JobRecord> read(StreamExecutionEnvironment env);

  /**
   * Commits how far a job has read, so that the next job resumes after it. Called when all records
   * have been written.
   */
  default void finish(JobExecutionResult result) throws IOException, InterruptedException {}

  /** Returns whether records have event times, which a window uses. */
  boolean hasTimes();
}
