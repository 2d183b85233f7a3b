package dev.holdfast.document;

/// A field of one search whose values a script of the request makes: the value of an aggregation,
/// or the key of a sort. No pattern finds it.
///
/// @param kind of runtime field that it is like; where its script is given the values of a field,
///   that field says
public record MadeField(String kind, ScriptedValues values) {}
