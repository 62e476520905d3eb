package dev.unseen.server;

import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Requests that come in a pipeline or a transaction get the answers that an exact set would give,
 * in their order, however the server puts them together.
 */
class PipelineTest {
  private static final int REQUESTS = 3000;
  private static final int ITEMS = 300;

  private final Set<String> added = new HashSet<>(); // "filter item"
  private final Set<String> set = new HashSet<>();

  @Property(tries = 4)
  void a_pipeline_is_answered_as_an_exact_set_would(Choices choices) throws IOException {
    long seed = choices.draw("seed", longs());
    SplittableRandom random = new SplittableRandom(seed);
    added.clear();
    set.clear();
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      client.say("BF.RESERVE small 0.0001 1000");
      client.say("BF.RESERVE large 0.0001 2000000 WINDOW 1h"); // in shards
      client.say("BF.RESERVE full 0.0001 1000 NONSCALING");
      for (int done = 0; done < REQUESTS; ) {
        int count = 1 + random.nextInt(200);
        ByteArrayOutputStream pipeline = new ByteArrayOutputStream();
        List<String> expected = new ArrayList<>();
        String usual = request(random);
        boolean transaction = random.nextInt(3) == 0;
        if (transaction) {
          pipeline.writeBytes(RawClient.request("MULTI"));
        }
        for (int i = 0; i < count; i++) {
          // Mostly the same command, so that there are batches, and what ends them.
          String kind = random.nextInt(8) == 0 ? request(random) : usual;
          List<String> words = words(kind, random);
          pipeline.writeBytes(RawClient.request(words.toArray(String[]::new)));
          expected.add(answer(words));
        }
        if (transaction) {
          pipeline.writeBytes(RawClient.request("EXEC"));
          expected = inTransaction(expected);
        }
        client.send(pipeline.toByteArray());
        for (String reply : expected) {
          assertThat(client.reply()).isEqualTo(reply);
        }
        done += count;
      }
    }
  }

  private static List<String> inTransaction(List<String> replies) {
    List<String> all = new ArrayList<>(List.of("+OK"));
    all.addAll(Collections.nCopies(replies.size(), "+QUEUED"));
    all.add(replies.toString());
    return all;
  }

  private static String request(SplittableRandom random) {
    List<String> filters = List.of("small", "large", "full");
    List<String> kinds =
        List.of(
            "BF.ADD",
            "BF.ADD",
            "BF.EXISTS",
            "BF.EXISTS",
            "BF.MADD",
            "BF.MEXISTS",
            "UN.ADMIT",
            "SET",
            "SET",
            "SET",
            "EXISTS",
            "DEL");
    String kind = kinds.get(random.nextInt(kinds.size()));
    String filter = filters.get(random.nextInt(kind.equals("UN.ADMIT") ? 2 : 3));
    return kind + " " + filter + " " + (random.nextBoolean() ? 60 : 3600);
  }

  private static String item(SplittableRandom random) {
    return "i" + random.nextInt(ITEMS);
  }

  private static List<String> words(String request, SplittableRandom random) {
    String[] parts = request.split(" ", -1);
    return switch (parts[0]) {
      case "SET" -> List.of("SET", item(random), "1", "NX", "EX", parts[2]);
      case "EXISTS", "DEL" -> List.of(parts[0], item(random));
      case "BF.MADD", "BF.MEXISTS" ->
          List.of(parts[0], parts[1], item(random), item(random), item(random));
      default -> List.of(parts[0], parts[1], item(random));
    };
  }

  private String answer(List<String> words) {
    String filter = words.get(1) + " ";
    return switch (words.get(0)) {
      case "BF.ADD", "UN.ADMIT" -> bit(added.add(filter + words.get(2)));
      case "BF.EXISTS" -> bit(added.contains(filter + words.get(2)));
      case "BF.MADD" ->
          words.stream().skip(2).map(item -> bit(added.add(filter + item))).toList().toString();
      case "BF.MEXISTS" ->
          words.stream()
              .skip(2)
              .map(item -> bit(added.contains(filter + item)))
              .toList()
              .toString();
      case "SET" -> set.add(words.get(1)) ? "+OK" : "nil";
      case "EXISTS" -> bit(set.contains(words.get(1)));
      default -> bit(set.remove(words.get(1)));
    };
  }

  private static String bit(boolean yes) {
    return yes ? ":1" : ":0";
  }
}
