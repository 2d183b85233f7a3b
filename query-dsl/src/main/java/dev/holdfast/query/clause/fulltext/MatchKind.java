package dev.holdfast.query.clause.fulltext;

/// How the tokens of an analysed text become a query.
enum MatchKind {
  /// Each token is a clause.
  BOOLEAN,
  /// Each token is a clause, the last one a prefix.
  BOOLEAN_PREFIX,
  /// The tokens in a row.
  PHRASE,
  /// The tokens in a row, the last one a prefix.
  PHRASE_PREFIX;

  boolean isPhrase() {
    return this == PHRASE || this == PHRASE_PREFIX;
  }

  boolean isPrefix() {
    return this == BOOLEAN_PREFIX || this == PHRASE_PREFIX;
  }
}
