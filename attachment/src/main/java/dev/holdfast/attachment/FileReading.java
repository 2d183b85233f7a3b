package dev.holdfast.attachment;

import dev.holdfast.document.ingest.file.FileMessages;
import dev.holdfast.document.ingest.file.FileMessages.Answer;
import dev.holdfast.document.ingest.file.FileMessages.Question;
import dev.holdfast.document.ingest.file.FileProperty;
import dev.holdfast.document.ingest.file.ParsedFile;
import dev.holdfast.world.ErrorType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.tika.Tika;
import org.apache.tika.exception.EncryptedDocumentException;
import org.apache.tika.exception.TikaException;
import org.apache.tika.exception.ZeroByteFileException;
import org.apache.tika.langdetect.tika.LanguageIdentifier;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.Office;
import org.apache.tika.metadata.Property;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.parser.AutoDetectParser;
import org.apache.tika.parser.epub.EpubParser;
import org.apache.tika.parser.html.JSoupParser;
import org.apache.tika.parser.microsoft.OfficeParser;
import org.apache.tika.parser.microsoft.OldExcelParser;
import org.apache.tika.parser.microsoft.ooxml.OOXMLParser;
import org.apache.tika.parser.microsoft.rtf.RTFParser;
import org.apache.tika.parser.odf.OpenDocumentParser;
import org.apache.tika.parser.pdf.PDFParser;
import org.apache.tika.parser.txt.TXTParser;
import org.apache.tika.parser.xml.DcXMLParser;

/// Reads files with Apache Tika: finds out their format, and asks the parser of it. Formats that no
/// parser is listed for have no text, but a content type. Of one thread.
final class FileReading {
  private static final Map<FileProperty, Property> NAMES = names();

  private final Tika tika;

  FileReading() {
    AutoDetectParser parser =
        new AutoDetectParser(
            new TXTParser(),
            new JSoupParser(),
            new DcXMLParser(),
            new RTFParser(),
            new PDFParser(),
            new OfficeParser(),
            new OldExcelParser(),
            new OOXMLParser(),
            new OpenDocumentParser(),
            new EpubParser());
    this.tika = new Tika(parser.getDetector(), parser);
  }

  private static Map<FileProperty, Property> names() {
    Map<FileProperty, Property> names = new EnumMap<>(FileProperty.class);
    names.put(FileProperty.TITLE, TikaCoreProperties.TITLE);
    names.put(FileProperty.AUTHOR, TikaCoreProperties.CREATOR);
    names.put(FileProperty.KEYWORDS, Office.KEYWORDS);
    names.put(FileProperty.DATE, TikaCoreProperties.CREATED);
    names.put(FileProperty.MODIFIED, TikaCoreProperties.MODIFIED);
    names.put(FileProperty.FORMAT, TikaCoreProperties.FORMAT);
    names.put(FileProperty.IDENTIFIER, TikaCoreProperties.IDENTIFIER);
    names.put(FileProperty.CONTRIBUTOR, TikaCoreProperties.CONTRIBUTOR);
    names.put(FileProperty.COVERAGE, TikaCoreProperties.COVERAGE);
    names.put(FileProperty.MODIFIER, TikaCoreProperties.MODIFIER);
    names.put(FileProperty.CREATOR_TOOL, TikaCoreProperties.CREATOR_TOOL);
    names.put(FileProperty.PUBLISHER, TikaCoreProperties.PUBLISHER);
    names.put(FileProperty.RELATION, TikaCoreProperties.RELATION);
    names.put(FileProperty.RIGHTS, TikaCoreProperties.RIGHTS);
    names.put(FileProperty.SOURCE, TikaCoreProperties.SOURCE);
    names.put(FileProperty.TYPE, TikaCoreProperties.TYPE);
    names.put(FileProperty.DESCRIPTION, TikaCoreProperties.DESCRIPTION);
    names.put(FileProperty.PRINT_DATE, TikaCoreProperties.PRINT_DATE);
    names.put(FileProperty.METADATA_DATE, TikaCoreProperties.METADATA_DATE);
    names.put(FileProperty.LATITUDE, TikaCoreProperties.LATITUDE);
    names.put(FileProperty.LONGITUDE, TikaCoreProperties.LONGITUDE);
    names.put(FileProperty.ALTITUDE, TikaCoreProperties.ALTITUDE);
    names.put(FileProperty.RATING, TikaCoreProperties.RATING);
    names.put(FileProperty.COMMENTS, TikaCoreProperties.COMMENTS);
    return names;
  }

  /// What is found, or why nothing is. Whatever a parser throws is said of the file; only a lack of
  /// memory ends the process.
  Answer answer(Question question) {
    try {
      ParsedFile file = parsed(question);
      return FileMessages.fits(file)
          ? new FileMessages.Parsed(file)
          : refused("the text of the file is too long: limit it with [indexed_chars]");
    } catch (EncryptedDocumentException e) {
      return new FileMessages.Refused(
          ErrorType.ENCRYPTED_DOCUMENT, "the file is encrypted: " + reason(e));
    } catch (StackOverflowError e) {
      return refused("the file is nested too deep");
    } catch (TikaException | IOException | RuntimeException | LinkageError e) {
      return refused(reason(e));
    }
  }

  private static Answer refused(String reason) {
    return new FileMessages.Refused(ErrorType.TIKA, reason);
  }

  private static String reason(Throwable thrown) {
    Throwable cause = thrown.getCause();
    String own = thrown.getMessage() == null ? thrown.getClass().getName() : thrown.getMessage();
    return cause == null || cause.getMessage() == null ? own : own + ": " + cause.getMessage();
  }

  private ParsedFile parsed(Question question) throws IOException, TikaException {
    Metadata metadata = new Metadata();
    if (question.name() != null) {
      metadata.set(TikaCoreProperties.RESOURCE_NAME_KEY, question.name());
    }
    String text;
    try (ByteArrayInputStream file = new ByteArrayInputStream(question.file())) {
      text = tika.parseToString(file, metadata, question.charsMax());
    } catch (ZeroByteFileException e) {
      text = "";
    }
    return new ParsedFile(text, properties(metadata, text));
  }

  private static SortedMap<FileProperty, String> properties(Metadata metadata, String text) {
    SortedMap<FileProperty, String> properties = new TreeMap<>();
    NAMES.forEach((property, name) -> put(properties, property, metadata.get(name)));
    for (FileProperty date : FileDates.OF) {
      properties.computeIfPresent(date, (_, value) -> FileDates.normal(value));
    }
    put(properties, FileProperty.CONTENT_TYPE, metadata.get(Metadata.CONTENT_TYPE));
    put(properties, FileProperty.CONTENT_LENGTH, metadata.get(Metadata.CONTENT_LENGTH));
    if (!text.isEmpty()) {
      put(properties, FileProperty.LANGUAGE, new LanguageIdentifier(text).getLanguage());
    }
    return properties;
  }

  private static void put(
      SortedMap<FileProperty, String> properties,
      FileProperty property,
      @org.jspecify.annotations.Nullable String value) {
    if (value != null && !value.isEmpty()) {
      properties.put(property, value);
    }
  }
}
