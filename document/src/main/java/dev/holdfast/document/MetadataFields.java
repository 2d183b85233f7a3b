package dev.holdfast.document;

/// Names of the fields that every document has beside its own.
public final class MetadataFields {
  /// Inverted (one term, UTF-8) and stored (UTF-8 bytes).
  public static final String ID = "_id";

  /// Stored: the bytes as received.
  public static final String SOURCE = "_source";

  /// Stored: the document as far as [#SOURCE] or fields mapped with `store` keep it, where the
  /// former alone lacks some of the latter.
  public static final String STORED_VALUES = "_stored_values";

  /// Inverted and stored (UTF-8 bytes), only for documents with a routing.
  public static final String ROUTING = "_routing";

  /// Numeric doc values.
  public static final String SEQ_NO = "_seq_no";

  /// Numeric doc values.
  public static final String PRIMARY_TERM = "_primary_term";

  /// Numeric doc values.
  public static final String VERSION = "_version";

  /// Inverted: names of fields present that have neither doc values nor norms.
  public static final String FIELD_NAMES = "_field_names";

  /// Inverted: names of fields whose value was ignored.
  public static final String IGNORED = "_ignored";

  /// Inverted: the path of the object, in the documents of `nested` objects only.
  public static final String NESTED_PATH = "_nested_path";

  /// Sorted-set doc values, in indices of time series only: the series, see [SeriesId].
  public static final String SERIES = "_tsid";

  /// Numeric doc values, only of documents that stand for several: as how many buckets count them.
  public static final String DOC_COUNT = "_doc_count";

  /// Virtual: the index name.
  public static final String INDEX = "_index";

  private MetadataFields() {}
}
