package dev.unseen.lab.trial;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.unseen.lab.output.Json;
import dev.unseen.lab.output.WholeFile;
import java.io.IOException;
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
  private static final int NUMBERS = 5; // of a tally

  private final Path file;
  private final Map<String, List<Tally>> finished = new LinkedHashMap<>();

  private RunLog(Path file) {
    this.file = file;
  }

  /** Opens the log, or creates it. */
  public static RunLog open(Path file) throws IOException {
    RunLog log = new RunLog(file);
    if (!Files.exists(file)) {
      Files.createFile(file); // fails early if it cannot be written
      return log;
    }
    String text = new String(Files.readAllBytes(file), UTF_8);
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    for (String line : whole.lines().toList()) {
      log.read(line);
    }
    if (whole.length() < text.length()) {
      WholeFile.write(file, whole);
    }
    return log;
  }

  private void read(String line) throws IOException {
    try (JsonParser json = JSON.createParser(line)) {
      String id = null;
      List<Double> numbers = new ArrayList<>();
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.VALUE_STRING) {
          id = json.getText();
        } else if (token.isNumeric()) {
          numbers.add(json.getDoubleValue());
        }
      }
      if (id == null || numbers.isEmpty() || numbers.size() % NUMBERS != 0) {
        throw new IOException("a line has no run");
      }
      List<Tally> tallies = new ArrayList<>();
      for (int i = 0; i < numbers.size(); i += NUMBERS) {
        tallies.add(
            new Tally(
                numbers.get(i).longValue(),
                numbers.get(i + 1).longValue(),
                numbers.get(i + 2).longValue(),
                numbers.get(i + 3).longValue(),
                numbers.get(i + 4)));
      }
      finished.put(id, List.copyOf(tallies));
    } catch (IOException e) {
      throw new IOException(
          "%s is damaged (%s); delete it to start again".formatted(file, e.getMessage()), e);
    }
  }

  /** Returns the tallies of a run along its stream, or null if it is not finished. */
  public synchronized List<Tally> get(String run) {
    return finished.get(run);
  }

  /** Drops runs, so that they run again. */
  public synchronized void forget(Collection<String> runs) throws IOException {
    if (finished.keySet().removeAll(runs)) {
      StringBuilder lines = new StringBuilder();
      finished.forEach((run, tallies) -> lines.append(line(run, tallies)));
      WholeFile.write(file, lines.toString());
    }
  }

  /** Adds a finished run, and forces it to the disk. */
  public synchronized void add(String run, List<Tally> tallies) throws IOException {
    Files.writeString(file, line(run, tallies), StandardOpenOption.APPEND, StandardOpenOption.SYNC);
    finished.put(run, tallies);
  }

  private static String line(String run, List<Tally> tallies) {
    List<List<Number>> numbers = new ArrayList<>();
    for (Tally t : tallies) {
      numbers.add(
          List.of(t.records(), t.distinct(), t.falsePositives(), t.falseNegatives(), t.load()));
    }
    return Json.write(Json.object("run", run, "tallies", numbers)) + "\n";
  }
}
