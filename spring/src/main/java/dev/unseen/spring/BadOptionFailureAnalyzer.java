package dev.unseen.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what is wrong with a property, a saved state or the use of an annotation. */
class BadOptionFailureAnalyzer extends AbstractFailureAnalyzer<BadOptionException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, BadOptionException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
