package dev.unseen.kafka;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MessageOrBuilder;
import java.util.Base64;
import java.util.List;

/**
 * Writes Protobuf messages as JSON, with the names that fields have in the schema. Fields that are
 * not set are written with their default values, unless the schema distinguishes the two.
 */
/*
 * Protobuf's own JsonFormat is in another jar, which need not be on the class path, and leaves out an id that is 0. This
 * class is loaded if a value is a message: then Protobuf is on the class path, in a version of the user.
 */
final class ProtobufJson {
  private final StringBuilder out = new StringBuilder();

  private ProtobufJson() {}

  static String of(MessageOrBuilder message) {
    ProtobufJson json = new ProtobufJson();
    json.message(message);
    return json.out.toString();
  }

  private void message(MessageOrBuilder message) {
    out.append('{');
    String comma = "";
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.isRepeated() || !field.hasPresence() || message.hasField(field)) {
        out.append(comma);
        comma = ",";
        text(field.getName());
        out.append(':');
        value(message.getField(field));
      }
    }
    out.append('}');
  }

  private void value(Object value) {
    if (value instanceof MessageOrBuilder message) {
      message(message);
    } else if (value instanceof List<?> list) {
      out.append('[');
      String comma = "";
      for (Object each : list) {
        out.append(comma);
        comma = ",";
        value(each);
      }
      out.append(']');
    } else if (value instanceof EnumValueDescriptor constant) {
      text(constant.getName());
    } else if (value instanceof ByteString bytes) {
      text(Base64.getEncoder().encodeToString(bytes.toByteArray()));
    } else if (value instanceof String string) {
      text(string);
    } else if (value instanceof Number number && !Double.isFinite(number.doubleValue())) {
      text(value.toString()); // which JSON has no number for
    } else {
      out.append(value); // a number or a boolean
    }
  }

  private void text(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
