package dev.holdfast.oracle.dialect;

import java.util.regex.Pattern;

/// Requests as OpenSearch understands them where its scripts lack what Elasticsearch's have: fields
/// with defaults become `doc`, runtime fields the derived fields of a search, expressions Painless
/// that means the same. What is asked of Holdfast stays as it was drawn.
public final class ScriptDialect {
  private static final Pattern DEFAULTED =
      Pattern.compile("(?:field\\('([a-z_]+)'\\)\\.get\\(|\\$\\('([a-z_]+)', )([^(),]*)\\)");
  private static final Pattern INDEXED =
      Pattern.compile("field\\('([a-z_]+)'\\)\\.get\\((\\d), ([^(),]*)\\)");
  private static final Pattern EMPTY = Pattern.compile("field\\('([a-z_]+)'\\)\\.isEmpty\\(\\)");
  private static final Pattern SIZE = Pattern.compile("field\\('([a-z_]+)'\\)\\.size\\(\\)");
  private static final Pattern EXPRESSION =
      Pattern.compile("\\{\"lang\": \"expression\", \"source\": \"([^\"]*)\"");
  private static final Pattern VALUE = Pattern.compile("doc\\['([a-z_]+)']\\.value");
  private static final Pattern FUNCTION =
      Pattern.compile("\\b(sqrt|abs|max|min|pow|floor|ceil)\\(");

  private ScriptDialect() {}

  /// The body as OpenSearch is asked it.
  ///
  /// @param body as it was drawn
  public static String ofOpenSearch(String body) {
    return expressions(defaults(body)).replace("\"runtime_mappings\"", "\"derived\"");
  }

  private static String defaults(String text) {
    String said =
        INDEXED.matcher(text).replaceAll("(doc['$1'].size() <= $2 ? (def) $3 : doc['$1'].get($2))");
    said =
        DEFAULTED
            .matcher(said)
            .replaceAll(call -> {
              String field = call.group(1) == null ? call.group(2) : call.group(1);
              String doc = "doc['" + field + "']";
              return "(" + doc + ".size() == 0 ? (def) " + call.group(3) + " : " + doc + ".value)";
            });
    said = EMPTY.matcher(said).replaceAll("(doc['$1'].size() == 0)");
    return SIZE.matcher(said).replaceAll("doc['$1'].size()");
  }

  /// All numbers of an expression are doubles, and what is missing is zero.
  private static String expressions(String text) {
    return EXPRESSION
        .matcher(text)
        .replaceAll(found -> {
          String said =
              VALUE
                  .matcher(found.group(1))
                  .replaceAll("(doc['$1'].size() == 0 ? 0.0 : (double) doc['$1'].value)");
          return "{\"source\": \"" + FUNCTION.matcher(said).replaceAll("Math.$1(") + "\"";
        });
  }
}
