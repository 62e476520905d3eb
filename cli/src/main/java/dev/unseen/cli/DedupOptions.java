package dev.unseen.cli;

import java.util.List;

/**
 * The options of {@code unseen [OPTIONS] [FILE...]}, as text: who uses a value parses it.
 *
 * @param memory of the filter, such as {@code 64M}
 * @param kind of the filter, by its id
 * @param hashes of the filter; null for what suits the kind
 * @param seed of all that is random
 * @param quiet whether to say nothing at the end
 * @param files to read; {@code -} is stdin
 */
record DedupOptions(
    String memory, String kind, String hashes, String seed, boolean quiet, List<String> files) {

  static final String DEFAULT_MEMORY = "64M";
  static final String DEFAULT_KIND = "rlbsbf";
  static final String DEFAULT_SEED = "0";

  /** These files and nothing else. */
  static DedupOptions ofFiles(List<String> files) {
    return new DedupOptions(DEFAULT_MEMORY, DEFAULT_KIND, null, DEFAULT_SEED, false, files);
  }
}
