package example;

import static dev.unseen.Memory.MiB;

import dev.unseen.micrometer.DeduplicatorMetrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;

/** Runs the Java of the README, which release/rehearse puts in the place of the marked line. */
public final class Clicks {
  record Click(String id) {}

  public static void main(String[] args) {
    List<Click> clicks = List.of(new Click("a"), new Click("b"), new Click("a"), new Click("c"));
    List<Click> sink = new ArrayList<>();
    // @README@
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new DeduplicatorMetrics(dedup, Tags.of("stream", "clicks")).bindTo(registry);
    System.out.println(sink);
    System.out.println(registry.get("unseen.records").functionCounter().count() + " records");
  }
}
