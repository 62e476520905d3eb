/**
 * Messages that are processed once for each key: records of Apache Kafka, and messages of Spring
 * Integration. Methods of any listener can have {@link dev.unseen.spring.idempotent.Idempotent}.
 */
package dev.unseen.spring.messaging;
