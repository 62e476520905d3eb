/**
 * Predicts how often a filter will be wrong on a stream, and recommends one. Start at {@link
 * dev.unseen.plan.Planner}.
 */
module dev.unseen.plan {
  requires transitive dev.unseen.core;
  requires static org.jspecify;

  exports dev.unseen.plan;
  exports dev.unseen.plan.predict;
  exports dev.unseen.plan.stream;
}
