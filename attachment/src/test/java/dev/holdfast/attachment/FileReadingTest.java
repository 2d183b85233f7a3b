package dev.holdfast.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.ingest.file.FileMessages;
import dev.holdfast.document.ingest.file.FileMessages.Question;
import dev.holdfast.document.ingest.file.FileProperty;
import dev.holdfast.document.ingest.file.ParsedFile;
import dev.holdfast.world.ErrorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.poifs.crypt.EncryptionInfo;
import org.apache.poi.poifs.crypt.EncryptionMode;
import org.apache.poi.poifs.crypt.Encryptor;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;
import org.apache.poi.ss.usermodel.Workbook;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.junit.jupiter.api.Test;

/// Files of every format that is read, and files that cannot be.
class FileReadingTest {
  private static final String WORDS = "Holdfast keeps all of its data in an object store";

  private final FileReading reading = new FileReading();

  private FileMessages.Answer answer(byte[] file) {
    return reading.answer(new Question(100_000, null, file));
  }

  private ParsedFile parsed(byte[] file) {
    FileMessages.Answer answer = answer(file);
    assertThat(answer).isInstanceOf(FileMessages.Parsed.class);
    return ((FileMessages.Parsed) answer).file();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void holdsTheWords(byte[] file, String contentType) {
    ParsedFile parsed = parsed(file);
    assertThat(parsed.text()).contains(WORDS);
    assertThat(parsed.properties().get(FileProperty.CONTENT_TYPE)).startsWith(contentType);
    assertThat(parsed.properties().get(FileProperty.LANGUAGE)).isNotEmpty();
  }

  @Test
  void textAndMarkupAreRead() throws IOException {
    holdsTheWords(text(WORDS), "text/plain");
    holdsTheWords(text("{\\rtf1\\ansi " + WORDS + "\\par }"), "application/rtf");
    String html = "<html><head><title>A title</title></head><body><p>" + WORDS + "</p></body>";
    holdsTheWords(text(html), "text/html");
    assertThat(parsed(text(html)).properties()).containsEntry(FileProperty.TITLE, "A title");
    holdsTheWords(text("<?xml version=\"1.0\"?><a><b>" + WORDS + "</b></a>"), "application/xml");
  }

  @Test
  void officeFilesAreRead() throws Exception {
    ByteArrayOutputStream word = new ByteArrayOutputStream();
    try (XWPFDocument document = new XWPFDocument()) {
      document.createParagraph().createRun().setText(WORDS);
      document.createTable(2, 2).getRow(1).getCell(1).setText("a cell");
      document.getProperties().getCoreProperties().setCreator("An author");
      document.getProperties().getCoreProperties().setKeywords("one, two");
      document.getProperties().getCoreProperties().setCreated("2016-03-10T08:25:00Z");
      document.write(word);
    }
    holdsTheWords(
        word.toByteArray(),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document");
    assertThat(parsed(word.toByteArray()).properties())
        .containsEntry(FileProperty.AUTHOR, "An author")
        .containsEntry(FileProperty.KEYWORDS, "one, two")
        .containsEntry(FileProperty.DATE, "2016-03-10T08:25:00Z");
    assertThat(parsed(word.toByteArray()).text()).contains("a cell");

    try (Workbook old = new HSSFWorkbook();
        Workbook now = new XSSFWorkbook()) {
      holdsTheWords(sheet(old), "application/vnd.ms-excel");
      holdsTheWords(
          sheet(now), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    }
    ByteArrayOutputStream slides = new ByteArrayOutputStream();
    try (XMLSlideShow show = new XMLSlideShow()) {
      show.createSlide().createTextBox().setText(WORDS);
      show.write(slides);
    }
    holdsTheWords(
        slides.toByteArray(),
        "application/vnd.openxmlformats-officedocument.presentationml.presentation");
  }

  private static byte[] sheet(Workbook book) throws IOException {
    book.createSheet("first").createRow(3).createCell(2).setCellValue(WORDS);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    book.write(out);
    return out.toByteArray();
  }

  private static byte[] zip(String... namesAndTexts) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
        zip.write(text(namesAndTexts[i + 1]));
      }
    }
    return out.toByteArray();
  }

  @Test
  void openDocumentsAndBooksAreRead() throws IOException {
    String office = "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\"";
    String texts = "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"";
    byte[] document =
        zip(
            "mimetype",
            "application/vnd.oasis.opendocument.text",
            "content.xml",
            "<office:document-content "
                + office
                + " "
                + texts
                + "><office:body><office:text><text:p>"
                + WORDS
                + "</text:p></office:text></office:body></office:document-content>");
    holdsTheWords(document, "application/vnd.oasis.opendocument.text");
    byte[] book =
        zip(
            "mimetype",
            "application/epub+zip",
            "META-INF/container.xml",
            "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>"
                + "<rootfile full-path=\"a.opf\""
                + " media-type=\"application/oebps-package+xml\"/></rootfiles></container>",
            "a.opf",
            "<package xmlns=\"http://www.idpf.org/2007/opf\"><manifest><item id=\"c\""
                + " href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/></manifest>"
                + "<spine><itemref idref=\"c\"/></spine></package>",
            "c.xhtml",
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>"
                + WORDS
                + "</p></body></html>");
    holdsTheWords(book, "application/epub+zip");
  }

  private static byte[] pdf(boolean isEncrypted) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PDDocument document = new PDDocument()) {
      PDPage page = new PDPage();
      document.addPage(page);
      try (PDPageContentStream content = new PDPageContentStream(document, page)) {
        content.beginText();
        content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
        content.newLineAtOffset(50, 700);
        content.showText(WORDS);
        content.endText();
      }
      document.getDocumentInformation().setTitle("A title");
      if (isEncrypted) {
        document.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
      }
      document.save(out);
    }
    return out.toByteArray();
  }

  @Test
  void pagesAreReadUnlessTheyAreEncrypted() throws IOException {
    holdsTheWords(pdf(false), "application/pdf");
    assertThat(parsed(pdf(false)).properties()).containsEntry(FileProperty.TITLE, "A title");
    FileMessages.Answer encrypted = answer(pdf(true));
    assertThat(encrypted).isInstanceOf(FileMessages.Refused.class);
    assertThat(((FileMessages.Refused) encrypted).type()).isEqualTo(ErrorType.ENCRYPTED_DOCUMENT);
  }

  @Test
  void officeFilesWithAPasswordAreRefused() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (POIFSFileSystem files = new POIFSFileSystem()) {
      Encryptor encryptor = new EncryptionInfo(EncryptionMode.agile).getEncryptor();
      encryptor.confirmPassword("secret");
      try (XWPFDocument document = new XWPFDocument();
          OutputStream sealed = encryptor.getDataStream(files)) {
        document.createParagraph().createRun().setText(WORDS);
        document.write(sealed);
      }
      files.writeFilesystem(out);
    }
    FileMessages.Answer answer = answer(out.toByteArray());
    assertThat(answer).isInstanceOf(FileMessages.Refused.class);
    assertThat(((FileMessages.Refused) answer).type()).isEqualTo(ErrorType.ENCRYPTED_DOCUMENT);
  }

  @Test
  void noMoreTextComesThanWasAskedFor() {
    FileMessages.Answer answer = reading.answer(new Question(8, null, text(WORDS)));
    assertThat(((FileMessages.Parsed) answer).file().text()).isEqualTo("Holdfast");
    assertThat(parsed(new byte[0])).isEqualTo(new ParsedFile("", parsed(new byte[0]).properties()));
  }

  @Test
  void whatIsOfNoFormatHasATypeAndNoText() {
    byte[] noise = new byte[4096];
    new Random(7).nextBytes(noise);
    assertThat(parsed(noise).text().strip()).isEmpty();
    assertThat(parsed(noise).properties().get(FileProperty.CONTENT_TYPE)).isNotEmpty();
  }

  @Test
  void filesThatAreCutOffOrChangedAreRefusedOrReadInPart() throws IOException {
    ByteArrayOutputStream word = new ByteArrayOutputStream();
    try (XWPFDocument document = new XWPFDocument()) {
      document.createParagraph().createRun().setText(WORDS);
      document.write(word);
    }
    Random random = new Random(11);
    for (byte[] whole : new byte[][] {word.toByteArray(), pdf(false)}) {
      for (int i = 0; i < 40; i++) {
        byte[] broken = Arrays.copyOf(whole, 1 + random.nextInt(whole.length - 1));
        broken[random.nextInt(broken.length)] ^= (byte) (1 + random.nextInt(255));
        // Never an exception, which would end the process.
        assertThat(answer(broken)).isNotNull();
      }
    }
    FileMessages.Answer cut = answer(Arrays.copyOf(word.toByteArray(), word.size() / 2));
    assertThat(cut).isInstanceOf(FileMessages.Refused.class);
    assertThat(((FileMessages.Refused) cut).type()).isEqualTo(ErrorType.TIKA);
  }

  @Test
  void aFileThatGrowsBeyondMeasureIsRefused() throws IOException {
    // given a document of some kilobytes whose text has 200 million letters
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("mimetype"));
      zip.write(text("application/vnd.oasis.opendocument.text"));
      zip.putNextEntry(new ZipEntry("content.xml"));
      zip.write(
          text(
              "<office:document-content"
                  + " xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\""
                  + " xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body>"
                  + "<office:text><text:p>"));
      byte[] many = text("a".repeat(1 << 20));
      for (int i = 0; i < 200; i++) {
        zip.write(many);
      }
      zip.write(text("</text:p></office:text></office:body></office:document-content>"));
    }
    // when all of it is wanted, or some
    FileMessages.Answer all = reading.answer(new Question(-1, null, out.toByteArray()));
    FileMessages.Answer some = reading.answer(new Question(1000, null, out.toByteArray()));
    // then it is refused, or cut
    assertThat(all).isInstanceOf(FileMessages.Refused.class);
    if (some instanceof FileMessages.Parsed cut) {
      assertThat(cut.file().text()).hasSizeLessThanOrEqualTo(1000);
    }
  }

  @Test
  void entitiesOfXmlReachNoFile() {
    byte[] file =
        text(
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                + "<a>&e; words</a>");
    if (answer(file) instanceof FileMessages.Parsed read) {
      assertThat(read.file().text()).doesNotContain("root:");
    }
  }

  @Test
  void datesAreOfOneForm() {
    assertThat(FileDates.normal("2009-04-16T11:32:02")).isEqualTo("2009-04-16T11:32:02Z");
    assertThat(FileDates.normal("2010-05-09T21:34:38+0200")).isEqualTo("2010-05-09T19:34:38Z");
    assertThat(FileDates.normal("2012-04-27T10:22:43.123-07:00"))
        .isEqualTo("2012-04-27T17:22:43.123Z");
    assertThat(FileDates.normal("0000-01-01T00:00:00Z")).isNull();
    assertThat(FileDates.normal("yesterday")).isNull();
  }
}
