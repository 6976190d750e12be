// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.time.LocalDateTime;

@AnalyzeClasses(packages = "io.redliner.benchmarks", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule the_simulated_world_does_not_know_who_looks_at_it = classes().that()
            .resideInAnyPackage("..lab.server..", "..lab.traffic..").should().onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "..lab.server..", "..lab.traffic..");

    @ArchTest
    static final ArchRule only_our_own_method_uses_our_analyzer = noClasses().that()
            .resideInAnyPackage("..lab.api..", "..lab.competitors..", "..lab.truth..", "..lab.report..")
            .should().dependOnClassesThat().resideInAnyPackage("io.redliner.analyzer..", "io.redliner.sla..");

    @ArchTest
    static final ArchRule the_lab_needs_no_framework = noClasses().that().resideInAPackage("..lab..").should()
            .dependOnClassesThat().resideInAnyPackage("org.springframework..", "org.apache.kafka..", "java.sql..",
                    "com.google.protobuf..", "io.redliner.contract", "io.redliner.contract.v1..",
                    "io.redliner.contract.consumer..", "io.redliner.controller.service..");

    @ArchTest
    static final ArchRule packages_have_no_cycles = slices().matching("io.redliner.(benchmarks..)").should()
            .beFreeOfCycles();

    // What JMH generates is a clock.
    @ArchTest
    static final ArchRule the_lab_has_no_clock_but_its_own = noClasses().that()
            .resideOutsideOfPackage("..jmh_generated..").should().callMethod(Instant.class, "now")
            .orShould().callMethod(System.class, "currentTimeMillis").orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(LocalDateTime.class, "now");
}
