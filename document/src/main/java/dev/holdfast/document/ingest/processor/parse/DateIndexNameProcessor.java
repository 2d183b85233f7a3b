package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/// `date_index_name`: the index of a document by its date, as date math that is resolved when it is
/// written.
public record DateIndexNameProcessor(
    FieldPath field,
    TextTemplate prefix,
    TextTemplate rounding,
    TextTemplate nameFormat,
    List<String> formats,
    ZoneId zone,
    Locale locale,
    DateNotations notations,
    Clock clock)
    implements Processor {
  private static final FieldPath INDEX = FieldPath.of("_index");
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String zone = config.string("timezone", "UTC");
    String locale = config.string("locale");
    List<String> formats = config.list("date_formats");
    String field = config.requiredString("field");
    String prefix = config.string("index_name_prefix", "");
    String rounding = config.requiredString("date_rounding");
    String format = config.string("index_name_format", "yyyy-MM-dd");
    try {
      return new DateIndexNameProcessor(
          FieldPath.of(field),
          TextTemplate.of(prefix),
          TextTemplate.of(rounding),
          TextTemplate.of(format),
          formats.isEmpty() ? List.of("yyyy-MM-dd'T'HH:mm:ss.SSSXX") : formats,
          zone.equals("UTC") ? ZoneOffset.UTC : ZoneId.of(zone),
          locale == null ? Locale.ENGLISH : DateNotations.locale(locale),
          new DateNotations(),
          parsing.clock());
    } catch (DateTimeException e) {
      throw config.wrong("timezone", "invalid timezone [" + zone + "]");
    } catch (Refusal e) {
      throw config.tagged(e);
    }
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value = document.require(field);
    String text = value.isNull() ? "null" : value.asText();
    Instant date = notations.read(text, formats, locale, zone, clock.epochMillis());
    document.set(INDEX, TextNode.valueOf(name(document, date)));
  }

  private String name(IngestDocument document, Instant date) {
    return "<"
        + prefix.fill(document)
        + "{"
        + DATE.format(date.atZone(zone))
        + "||/"
        + rounding.fill(document)
        + "{"
        + nameFormat.fill(document)
        + "|"
        + (zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId())
        + "}}>";
  }
}
