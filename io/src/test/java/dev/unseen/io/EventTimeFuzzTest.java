package dev.unseen.io;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Any bytes are a time within the calendar, or rejected.
 *
 * <p>A build runs the inputs beside this class in the resources. To look for new ones, with
 * coverage as a guide, for five minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl io -am test -Dtest=EventTimeFuzzTest#any* -Djazzer.hooks=true -Djazzer.max_duration=5m
 * </pre>
 */
class EventTimeFuzzTest {
  @FuzzTest
  void any_bytes_are_a_time_or_rejected(byte[] bytes) {
    EventTimeTest.answers(bytes);
  }
}
