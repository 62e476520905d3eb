package dev.unseen.site;

import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** The words of a part of a document, without its marks. */
final class PlainText {
  private PlainText() {}

  static String of(Node node) {
    StringBuilder text = new StringBuilder();
    append(node, text);
    return text.toString().strip().replaceAll("\\s+", " ");
  }

  private static void append(Node node, StringBuilder text) {
    if (node instanceof Text words) {
      text.append(words.getLiteral());
    } else if (node instanceof Code code) {
      text.append(code.getLiteral());
    } else if (node instanceof FencedCodeBlock code) {
      text.append(code.getLiteral());
    }
    for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
      append(child, text);
    }
    if (node instanceof Block
        || node instanceof TableCell
        || node instanceof SoftLineBreak
        || node instanceof HardLineBreak) {
      text.append(' ');
    }
  }

  /** Returns the first paragraph of a document, or nothing. */
  static String firstParagraph(Node document) {
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Paragraph) {
        return of(node);
      }
    }
    return "";
  }
}
