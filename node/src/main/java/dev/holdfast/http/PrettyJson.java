package dev.holdfast.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;

/// JSON for people, in Elasticsearch's layout: two blanks a level, ` : `, one element a line.
final class PrettyJson {
  private PrettyJson() {}

  static JsonGenerator on(JsonGenerator generator) {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return generator.setPrettyPrinter(
        new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
  }
}
