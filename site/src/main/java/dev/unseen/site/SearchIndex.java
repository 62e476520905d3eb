package dev.unseen.site;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/**
 * What the search knows: every part of every page, from one heading to the next. It is a script,
 * not data, because a page from disk may load nothing else.
 */
final class SearchIndex {
  private final StringWriter text = new StringWriter();
  private final JsonGenerator json;

  SearchIndex() throws IOException {
    json = new JsonFactory().createGenerator(text);
    json.writeStartArray();
  }

  /**
   * Adds a page.
   *
   * @param place where it is: its group or the page above it
   * @param weight how much its matches count, compared with those of other pages
   */
  void add(Document document, String place, double weight) throws IOException {
    json.writeStartObject();
    json.writeStringField("title", document.title());
    json.writeStringField("page", document.page());
    json.writeStringField("place", place);
    json.writeNumberField("weight", weight);
    json.writeArrayFieldStart("parts");
    List<Anchor> anchors = document.anchors();
    for (int i = 0; i < anchors.size(); i++) {
      Anchor anchor = anchors.get(i);
      json.writeStartArray();
      json.writeString(i == 0 ? "" : anchor.text());
      json.writeString(i == 0 ? "" : anchor.id());
      json.writeString(below(anchor.heading()));
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String below(Heading heading) {
    StringBuilder words = new StringBuilder();
    Node node = heading.getNext();
    while (node != null && !(node instanceof Heading)) {
      words.append(PlainText.of(node)).append(' ');
      node = node.getNext();
    }
    return words.toString().strip();
  }

  String script() throws IOException {
    json.writeEndArray();
    json.close();
    return "const SEARCH_INDEX = " + text + ";\n";
  }
}
