package dev.unseen.testing;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** Checks that the packages of a module do not depend on each other in a cycle. */
public final class PackageCycles {
  private PackageCycles() {}

  /**
   * Fails if packages of a module form a cycle, and names the classes and lines that close it.
   *
   * @param inModule a class of the module; all main classes that were compiled with it are checked
   */
  public static void check(Class<?> inModule) {
    check(
        new ClassFileImporter()
            .importUrl(inModule.getProtectionDomain().getCodeSource().getLocation()));
  }

  static void check(JavaClasses classes) {
    SlicesRuleDefinition.slices()
        .assignedFrom(new ByPackage())
        .should()
        .beFreeOfCycles()
        .check(classes);
  }

  private static final class ByPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      return SliceIdentifier.of(javaClass.getPackageName());
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }
}
