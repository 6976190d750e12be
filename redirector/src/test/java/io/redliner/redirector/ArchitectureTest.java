// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.time.LocalDateTime;

@AnalyzeClasses(packages = "io.redliner.redirector", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String[] CORE = {"..redirector.lease..", "..redirector.routing..", "..redirector.dataplane.."};

    @ArchTest
    static final ArchRule THE_CORE_IS_PLAIN_JAVA = noClasses()
            .that().resideInAnyPackage(CORE)
            .should().dependOnClassesThat().resideInAnyPackage("org.springframework..", "org.apache.kafka..",
                    "java.sql..", "io.envoyproxy..", "com.google.protobuf..", "io.grpc..", "tools.jackson..",
                    "io.micrometer..", "io.redliner.contract", "io.redliner.contract.v1..");

    @ArchTest
    static final ArchRule THE_CORE_DOES_NOT_KNOW_ITS_ADAPTERS = noClasses()
            .that().resideInAnyPackage(CORE)
            .should().dependOnClassesThat().resideInAnyPackage("..redirector.envoy..", "..redirector.kafka..",
                    "..redirector.eventloop..", "..redirector.config..", "..redirector.metrics..",
                    "..redirector.discovery..");

    @ArchTest
    static final ArchRule WHAT_IS_DISCOVERED_IS_PLAIN_JAVA = noClasses()
            .that().resideInAPackage("..redirector.discovery..").and().doNotHaveSimpleName("DiscoveryConfiguration")
            .and().haveNameNotMatching(".*\\.(Dns|Kubernetes|EndpointSlice)\\w*(\\$.*)?")
            .should().dependOnClassesThat().resideInAnyPackage("org.springframework..", "io.fabric8..",
                    "org.xbill..", "tools.jackson..");

    @ArchTest
    static final ArchRule DISCOVERY_DOES_NOT_KNOW_WHO_ASKS = noClasses()
            .that().resideInAPackage("..redirector.discovery..")
            .should().dependOnClassesThat().resideInAnyPackage("..redirector.config..", "..redirector.lease..",
                    "..redirector.dataplane..", "..redirector.envoy..", "..redirector.eventloop..",
                    "..redirector.kafka..",
                    "..redirector.metrics..");

    @ArchTest
    static final ArchRule ONLY_DISCOVERY_KNOWS_KUBERNETES_AND_THE_DNS = noClasses()
            .that().resideOutsideOfPackage("..redirector.discovery..")
            .should().dependOnClassesThat().resideInAnyPackage("io.fabric8..", "org.xbill..");

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES = slices().matching("io.redliner.redirector.(*)..")
            .should().beFreeOfCycles();

    @ArchTest
    static final ArchRule TIME_IS_INJECTED = noClasses()
            .should().callMethod(Instant.class, "now")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(LocalDateTime.class, "now");
}
