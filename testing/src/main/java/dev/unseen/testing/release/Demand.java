package dev.unseen.testing.release;

import java.util.List;
import java.util.function.BiFunction;

/**
 * One thing that is demanded of a release.
 *
 * @param text what holds if it is met, in a few words
 * @param check says what is wrong with one artifact of a release, a sentence each
 */
record Demand(String text, BiFunction<Artifact, Release, List<String>> check) {
  /** All demands, in the order in which they are printed, but for {@link SignatureDemand}. */
  static final List<Demand> ALL =
      List.of(
          new Demand("coordinates are those of the directory", PomDemands::coordinates),
          new Demand("one version for all", PomDemands::oneVersion),
          new Demand("POM has a name", PomDemands::name),
          new Demand("POM has a description", PomDemands::description),
          new Demand("POM has a url", PomDemands::url),
          new Demand("POM has a license with name and url", PomDemands::licenses),
          new Demand("POM has developers", PomDemands::developers),
          new Demand("POM has scm: connection, developerConnection, url", PomDemands::scm),
          new Demand("no dependency is a SNAPSHOT", PomDemands::noSnapshots),
          new Demand("all of ours that an artifact needs is here too", PomDemands::complete),
          new Demand("unseen-bom lists every artifact, and no other", PomDemands::listed),
          new Demand("jar with classes", JarDemands::classes),
          new Demand("sources jar with sources", JarDemands::sources),
          new Demand("javadoc jar with pages", JarDemands::javadoc),
          new Demand("LICENSE and NOTICE in each jar", JarDemands::licence),
          new Demand("a name on the module path", JarDemands::moduleName),
          new Demand("a bill of materials (CycloneDX)", SbomDemand::sbom),
          new Demand("checksums md5 and sha1, which are right", ChecksumDemand::checksums));
}
