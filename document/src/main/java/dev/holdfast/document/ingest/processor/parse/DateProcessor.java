package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/// `date`: a text of one of some formats as a date of one form.
public record DateProcessor(
    SourceField field,
    TextTemplate zone,
    TextTemplate locale,
    List<TextTemplate> formats,
    DateTimeFormatter output,
    dev.holdfast.world.Clock clock)
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
          DateTimeFormatter.ofPattern(output, Locale.ENGLISH),
          parsing.clock());
    } catch (IllegalArgumentException e) {
      throw config.wrong(
          "output_format", "invalid output format [" + output + "]: " + e.getMessage());
    }
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value = document.require(field.from().path(document));
    String text = value.isNull() ? "null" : value.asText();
    ZoneId zoneOfDocument = zone(zone.fill(document));
    Locale language = Locale.forLanguageTag(locale.fill(document).replace('_', '-'));
    Refusal last = null;
    for (TextTemplate format : formats) {
      try {
        Instant instant =
            DateNotation.of(format.fill(document), language)
                .read(text, zoneOfDocument, clock.epochMillis());
        field.write(document, TextNode.valueOf(output.format(instant.atZone(zoneOfDocument))));
        return;
      } catch (Refusal e) {
        last = e;
      }
    }
    throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "unable to parse date [" + text + "]", last);
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
