package dev.unseen.lab.trial;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.unseen.lab.output.Json;
import dev.unseen.lab.output.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The log of the finished runs of a directory, one line of JSON each, so that interrupted work
 * continues where it stopped. An incomplete last line is dropped when the file is opened.
 */
public final class RunLog {
  private static final JsonFactory JSON = new JsonFactory();

  private final Path file;
  private final Map<String, List<Tally>> finished = new LinkedHashMap<>();

  private RunLog(Path file) {
    this.file = file;
  }

  /** Opens the log, or creates it. */
  public static RunLog open(Path file) throws IOException {
    RunLog log = new RunLog(file);
    if (Files.exists(file)) {
      long whole = 0;
      byte[] bytes = Files.readAllBytes(file);
      for (int from = 0, to = 0; to < bytes.length; to++) {
        if (bytes[to] == '\n') {
          log.read(new String(bytes, from, to - from, StandardCharsets.UTF_8));
          from = to + 1;
          whole = from;
        }
      }
      if (whole < bytes.length) {
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
          channel.truncate(whole);
        }
      }
    } else {
      Files.createFile(file); // fails early if it cannot be written
    }
    return log;
  }

  private void read(String line) throws IOException {
    try (JsonParser json = JSON.createParser(line)) {
      String id = null;
      List<Tally> tallies = new ArrayList<>();
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
          id = json.getText();
        } else if (json.currentToken() == JsonToken.START_ARRAY
            && json.nextToken() == JsonToken.START_ARRAY) {
          while (json.currentToken() == JsonToken.START_ARRAY) {
            tallies.add(
                new Tally(
                    json.nextLongValue(0),
                    json.nextLongValue(0),
                    json.nextLongValue(0),
                    json.nextLongValue(0),
                    nextDouble(json)));
            json.nextToken(); // end of this tally
            json.nextToken(); // start of the next, or end of all
          }
        }
      }
      if (id == null || tallies.isEmpty()) {
        throw new IOException("a line has no run");
      }
      finished.put(id, List.copyOf(tallies));
    } catch (IOException e) {
      throw new IOException(
          "%s is damaged (%s); delete it to start again".formatted(file, e.getMessage()), e);
    }
  }

  private static double nextDouble(JsonParser json) throws IOException {
    json.nextToken();
    return json.getDoubleValue();
  }

  /** Returns the tallies of a run along its stream, or null if it is not finished. */
  public synchronized List<Tally> get(String run) {
    return finished.get(run);
  }

  /** Drops runs, so that they run again. */
  public synchronized void forget(Collection<String> runs) throws IOException {
    if (finished.keySet().removeAll(runs)) {
      StringBuilder lines = new StringBuilder();
      for (var run : finished.entrySet()) {
        lines.append(line(run.getKey(), run.getValue()));
      }
      WholeFile.write(file, lines.toString());
    }
  }

  /** Adds a finished run, and forces it to the disk. */
  public synchronized void add(String run, List<Tally> tallies) throws IOException {
    Files.writeString(file, line(run, tallies), StandardOpenOption.APPEND, StandardOpenOption.SYNC);
    finished.put(run, tallies);
  }

  private static String line(String run, List<Tally> tallies) {
    List<List<Number>> numbers =
        tallies.stream()
            .map(
                t ->
                    List.<Number>of(
                        t.records(),
                        t.distinct(),
                        t.falsePositives(),
                        t.falseNegatives(),
                        t.load()))
            .toList();
    return Json.write(Json.object("run", run, "tallies", numbers)) + "\n";
  }
}
