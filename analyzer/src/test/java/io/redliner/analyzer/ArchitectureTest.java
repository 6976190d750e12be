// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.time.LocalDateTime;

@AnalyzeClasses(packages = "io.redliner.analyzer", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule the_heart_knows_neither_frameworks_nor_adapters = noClasses().that()
            .resideInAnyPackage("..analyzer.search..", "..analyzer.windowing..", "..analyzer.evaluation..",
                    "..analyzer.run..", "..analyzer.runstats..", "..analyzer.bottleneck..", "..analyzer.validity..")
            .should().dependOnClassesThat().resideInAnyPackage("org.springframework..", "org.apache.kafka..",
                    "java.sql..", "com.google.protobuf..", "io.redliner.contract..", "io.micrometer..",
                    "io.redliner.analyzer.kafka..", "io.redliner.analyzer.codec..",
                    "io.redliner.analyzer.state..");

    @ArchTest
    static final ArchRule the_search_knows_only_the_rule_language = noClasses().that()
            .resideInAPackage("..analyzer.search..").should().dependOnClassesThat()
            .resideInAnyPackage("..analyzer.windowing..", "..analyzer.evaluation..", "..analyzer.run..",
                    "..analyzer.runstats..", "..analyzer.bottleneck..", "..analyzer.validity..");

    @ArchTest
    static final ArchRule packages_have_no_cycles = slices().matching("io.redliner.(analyzer..)").should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule the_wall_clock_is_injected = noClasses().should().callMethod(Instant.class, "now").orShould()
            .callMethod(System.class, "currentTimeMillis").orShould().callMethod(System.class, "nanoTime").orShould()
            .callMethod(LocalDateTime.class, "now");
}
