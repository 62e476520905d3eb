package dev.unseen.flink.job;

import java.util.Optional;

/**
 * Where records are written.
 *
 * @param isTopics whether they are topics, not directories
 * @param once the place of the first record of each key
 * @param duplicates the place of suspected duplicates; empty: they are dropped
 */
record Destinations(boolean isTopics, String once, Optional<String> duplicates) {}
