package dev.unseen.spring;

import dev.unseen.Report;
import dev.unseen.SavedDeduplicator;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of each deduplicator. It is down if its state cannot be saved, or the server that
 * holds its keys cannot be used. It is degraded, which leaves the application up, if it makes more
 * errors than it should, or has rejected requests in the last minute because too many keys were
 * reserved: a restart would not help.
 */
record DeduplicatorHealth(DeduplicatorFactory deduplicators) implements CompositeHealthContributor {
  static final Status DEGRADED = new Status("DEGRADED");

  @Override
  public HealthContributor getContributor(String name) {
    return stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .map(Entry::contributor)
        .orElse(null);
  }

  @Override
  public Stream<Entry> stream() {
    return Stream.concat(
        deduplicators.all().stream()
            .map(each -> new Entry(each.name(), (HealthIndicator) () -> health(each))),
        deduplicators.remote().stream()
            .map(each -> new Entry(each.name(), (HealthIndicator) () -> health(each))));
  }

  private static Health health(RemoteKeys keys) {
    try {
      keys.check();
      return Health.up().build();
    } catch (RuntimeException e) {
      return Health.down(e).build();
    }
  }

  private static Health health(ManagedDeduplicator managed) {
    Report report = managed.deduplicator().report();
    List<String> problems = managed.problems(report);
    Health.Builder health =
        new Health.Builder(problems.isEmpty() ? Status.UP : DEGRADED)
            .withDetail("records", report.records())
            .withDetail("duplicates", report.duplicates())
            .withDetail("load", report.load())
            .withDetail("estimatedFpr", report.estimatedFpr());
    if (!problems.isEmpty()) {
      health.withDetail("alarms", problems);
    }
    health.withDetails(managed.saves());
    managed.state().flatMap(SavedDeduplicator::lastFailure).ifPresent(failure -> health.down());
    return health.build();
  }
}
