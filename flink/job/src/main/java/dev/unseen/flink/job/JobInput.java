package dev.unseen.flink.job;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Where the records of the job come from: files, or a topic. */
interface JobInput {
  /** Adds the source to a job. */
  DataStream<JobRecord> read(StreamExecutionEnvironment env);

  /** Returns whether records have times of their own, by which a window goes. */
  boolean hasTimes();
}
