// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.time.LocalDateTime;

@AnalyzeClasses(packages = "io.redliner.collector", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule the_heart_is_plain_java = classes().that().resideInAPackage("..collector.windowing..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "io.micrometer.core..", "org.HdrHistogram..", "org.jspecify..",
                    "..collector.windowing..");

    @ArchTest
    static final ArchRule what_metrics_mean_is_plain_java = classes().that().resideInAPackage("..collector.metrics..")
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "io.micrometer.core..", "org.jspecify..", "..collector.windowing..",
                    "..collector.metrics..");

    @ArchTest
    static final ArchRule adapters_do_not_know_each_other = slices().matching("io.redliner.collector.(*)..")
            .should().notDependOnEachOther()
            .ignoreDependency(alwaysTrue(),
                    resideInAnyPackage("..windowing..", "..concurrent..", "..collector.source..",
                            "..collector.linux..", "..collector.metrics..", "..collector.http.."));

    @ArchTest
    static final ArchRule packages_have_no_cycles = slices().matching("io.redliner.(collector..)").should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule the_wall_clock_is_injected = noClasses().should().callMethod(Instant.class, "now").orShould()
            .callMethod(System.class, "currentTimeMillis").orShould().callMethod(System.class, "nanoTime").orShould()
            .callMethod(LocalDateTime.class, "now");
}
