package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.util.ArrayList;
import java.util.List;

/** What FastCSV reads of a text: an opinion that is not ours. */
final class FastCsv {
  /**
   * The rows, each a list of columns with a char for each byte, up to where it fails, if it does.
   */
  final List<List<String>> rows = new ArrayList<>();

  /** Whether it failed. */
  boolean failed;

  FastCsv(byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    if (text.startsWith("\u00EF\u00BB\u00BF")) {
      text = text.substring(3);
    }
    try (CsvReader<CsvRecord> csv =
        CsvReader.builder()
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .allowUnclosedQuote(false)
            .ofCsvRecord(text)) {
      csv.forEach(row -> rows.add(row.getFields()));
    } catch (CsvParseException e) {
      failed = true;
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }
}
