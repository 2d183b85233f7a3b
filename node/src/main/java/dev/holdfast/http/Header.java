package dev.holdfast.http;

/// A header of an answer.
public record Header(String name, String value) {}
