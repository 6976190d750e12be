// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
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
    static final ArchRule the_heart_knows_neither_frameworks_nor_adapters = noClasses().that()
            .resideInAPackage("..window..").should().dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "org.apache.kafka..", "java.sql..", "io.envoyproxy..",
                    "io.grpc..", "com.google.protobuf..", "io.redliner.contract..", "io.micrometer..",
                    "io.redliner.collector.source..", "io.redliner.collector.run..",
                    "io.redliner.collector.messaging..");

    @ArchTest
    static final ArchRule adapters_do_not_know_each_other = slices().matching("io.redliner.collector.(*)..")
            .should().notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), resideInAnyPackage("..window..", "..worker.."));

    @ArchTest
    static final ArchRule packages_have_no_cycles = slices().matching("io.redliner.(collector..)").should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule the_wall_clock_is_injected = noClasses().should().callMethod(Instant.class, "now").orShould()
            .callMethod(System.class, "currentTimeMillis").orShould().callMethod(System.class, "nanoTime").orShould()
            .callMethod(LocalDateTime.class, "now");
}
