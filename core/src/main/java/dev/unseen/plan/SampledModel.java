package dev.unseen.plan;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A stream known by y(w) at some distances, with straight lines in between. */
final class SampledModel implements StreamModel {
  /** A sample in which every late record is a repeat does not say that none will ever be new. */
  private static final double LEAST = 1e-9;

  private static final int MOST_STORED = 64; // each 100 KiB

  private final double records;
  private final double[] edge; // from 0 on
  private final double[] unseen; // from 1 on
  private final double[] distinct; // the integral of unseen up to each edge

  private final RepeatLinks links;
  private final Map<List<Double>, StoredSample> stored =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Double>, StoredSample> eldest) {
          return size() > MOST_STORED;
        }
      };

  SampledModel(double records, double[] edge, double[] unseen, RepeatLinks links) {
    this.records = records;
    this.links = links;
    this.edge = edge;
    this.unseen = unseen;
    this.distinct = new double[edge.length];
    for (int i = 0; i < edge.length; i++) {
      unseen[i] = Math.max(LEAST, unseen[i]);
      if (i > 0) {
        double width = edge[i] - edge[i - 1];
        distinct[i] = distinct[i - 1] + width * (unseen[i - 1] + unseen[i]) / 2;
      }
    }
  }

  /** The last edge at or before w. */
  private int before(double w) {
    int at = Arrays.binarySearch(edge, w);
    return at >= 0 ? at : -at - 2;
  }

  /** The distances one by one; nothing if the sample is too long to keep them. */
  Optional<RepeatLinks> links() {
    return links.size() == records ? Optional.of(links) : Optional.empty();
  }

  /** What such a filter stores of the sample; nothing if the sample is too long to keep. */
  Optional<StoredSample> stored(FilterLaw law) {
    if (links().isEmpty()) {
      return Optional.empty();
    }
    synchronized (stored) {
      double third = law.thirdPhase() < records ? law.thirdPhase() : Double.POSITIVE_INFINITY;
      List<Double> same = List.of(law.bankBits(), third); // such laws store the same records
      return Optional.of(stored.computeIfAbsent(same, any -> new StoredSample(links, law)));
    }
  }

  @Override
  public double records() {
    return records;
  }

  @Override
  public double unseen(double window) {
    int i = before(window);
    if (i == edge.length - 1) {
      return unseen[i];
    }
    double share = (window - edge[i]) / (edge[i + 1] - edge[i]);
    return unseen[i] + share * (unseen[i + 1] - unseen[i]);
  }

  @Override
  public double distinct(double window) {
    int i = before(window);
    return distinct[i] + (window - edge[i]) * (unseen[i] + unseen(window)) / 2;
  }

  @Override
  public boolean exchangeable() {
    return false;
  }
}
