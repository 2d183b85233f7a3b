package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;

/// `date`: a text of one of some formats as a date of one form.
public record DateProcessor(
    SourceField field,
    TextTemplate zone,
    TextTemplate locale,
    List<TextTemplate> formats,
    DateFormat output,
    DateNotations notations,
    Clock clock)
    implements Processor {
  private static final String OUTPUT_DEFAULT = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX";

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    SourceField field = SourceField.of(config, "@timestamp");
    String zone = config.string("timezone", "UTC");
    String locale = config.string("locale", "en");
    List<TextTemplate> formats =
        config.requiredList("formats").stream().map(TextTemplate::of).toList();
    if (formats.isEmpty()) {
      throw config.wrong("formats", "required property is missing");
    }
    String output = config.string("output_format", OUTPUT_DEFAULT);
    try {
      return new DateProcessor(
          field,
          TextTemplate.of(zone),
          TextTemplate.of(locale),
          formats,
          DateFormat.of(output),
          new DateNotations(),
          parsing.clock());
    } catch (Refusal e) {
      throw config.wrong("output_format", "invalid output format [" + output + "]: " + e.reason());
    }
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value = document.require(field.from().path(document));
    String text = value.isNull() ? "null" : value.asText();
    ZoneId zoneOfDocument = zone(zone.fill(document));
    Locale language = DateNotations.locale(locale.fill(document));
    List<String> filled = formats.stream().map(format -> format.fill(document)).toList();
    Instant instant = notations.read(text, filled, language, zoneOfDocument, clock.epochMillis());
    field.write(document, TextNode.valueOf(output.format(instant, zoneOfDocument)));
  }

  private static ZoneId zone(String name) {
    try {
      ZoneId zone = ZoneId.of(name);
      return name.equals("UTC") ? ZoneOffset.UTC : zone;
    } catch (DateTimeException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "Invalid timezone [" + name + "]", e);
    }
  }
}
