// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The facts of instances: version, hardware class and failure domain, as their deployment reports them. */
@RestController
@RequestMapping("/api/v1/services/{service}/instances")
class InstanceFactsResource {

    private final InstanceFactsRepository repository;

    private final Permissions permissions;

    private final InstantSource clock;

    InstanceFactsResource(InstanceFactsRepository repository, Permissions permissions, InstantSource clock) {
        this.repository = repository;
        this.permissions = permissions;
        this.clock = clock;
    }

    /** The facts of an instance; a fact that was not reported is absent. */
    record FactsView(String service, String instance, @Nullable String version, @Nullable String hardware,
            @Nullable String failureDomain, Instant updatedAt) {

        static FactsView of(InstanceFactsRepository.Known known) {
            InstanceFacts facts = known.facts();
            return new FactsView(known.service(), known.instance(), facts.version(), facts.hardware(),
                    facts.failureDomain(), known.updatedAt());
        }
    }

    @GetMapping
    Page<FactsView> list(@PathVariable String service) {
        return Page.whole(repository.of(service).stream().map(FactsView::of).toList());
    }

    @GetMapping("/{address}")
    FactsView get(@PathVariable String service, @PathVariable String address) {
        return repository.find(service, canonical(address))
                .map(FactsView::of)
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND,
                        "nobody has said what instance " + address + " of service " + service + " is"));
    }

    /** Replaces all facts; also of an instance that no redirector has reported yet. */
    @PutMapping("/{address}")
    FactsView put(@PathVariable String service, @PathVariable String address, InputStream body)
            throws InvalidDocumentException {
        try {
            Plan.requireService(service);
        } catch (IllegalArgumentException none) {
            throw RequestParameters.refuse("service", "'" + service + "' " + none.getMessage());
        }
        // What is known of an instance decides which one a plan selects, so whose traffic is moved.
        permissions.requireOperator(service);
        repository.put(service, requireAddress(address), facts(RequestBodyReader.read(body)),
                clock.instant());
        return get(service, address);
    }

    /** Returns the canonical form of an address, which may be written in several ways; any other text stays as it is. */
    private static String canonical(String address) {
        try {
            return new SutChoice.Named(address).instance();
        } catch (IllegalArgumentException none) {
            return address;
        }
    }

    private static String requireAddress(String address) {
        try {
            return new SutChoice.Named(address).instance();
        } catch (IllegalArgumentException none) {
            throw RequestParameters.refuse("address", "'" + address + "' " + none.getMessage());
        }
    }

    /**
     * Reads the body of a request with the facts of an instance; a field that is left out is unknown.
     *
     * @throws InvalidDocumentException with all mistakes
     */
    static InstanceFacts facts(String text) throws InvalidDocumentException {
        return NodeReader.read(YamlParser.read(text),
                fields -> new InstanceFacts(fields.optional("version", SutChoice::requireLabelValue),
                        fields.optional("hardware", SutChoice::requireLabelValue),
                        fields.optional("failureDomain", SutChoice::requireLabelValue)));
    }
}
