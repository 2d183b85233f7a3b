package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextProcessor;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;

/// `html_strip`: text without the tags of HTML.
final class HtmlStripProcessor {
  private HtmlStripProcessor() {}

  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new TextProcessor(SourceField.of(config), text -> TextNode.valueOf(stripped(text)));
  }

  private static String stripped(String text) {
    if (text.indexOf('<') < 0 && text.indexOf('&') < 0) {
      return text;
    }
    try (HTMLStripCharFilter filter = new HTMLStripCharFilter(new StringReader(text));
        StringWriter stripped = new StringWriter()) {
      long _ = filter.transferTo(stripped);
      return stripped.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
