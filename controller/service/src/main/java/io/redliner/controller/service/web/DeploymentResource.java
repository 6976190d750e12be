// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.schedule.Deployment;
import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.service.persistence.DeploymentRepository;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.scheduling.DeploymentConflictException;
import io.redliner.controller.service.scheduling.DeploymentEvent;
import io.redliner.controller.service.scheduling.DeploymentEventReader;
import io.redliner.controller.service.scheduling.DeploymentService;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The deployments that CI/CD reports. */
@RestController
@RequestMapping("/api/v1")
class DeploymentResource {

    private final DeploymentService deployments;

    private final DeploymentRepository repository;

    private final FiringRepository firings;

    private final Permissions permissions;

    private final InstantSource clock;

    DeploymentResource(DeploymentService deployments, DeploymentRepository repository, FiringRepository firings,
            Permissions permissions, InstantSource clock) {
        this.permissions = permissions;
        this.deployments = deployments;
        this.repository = repository;
        this.firings = firings;
        this.clock = clock;
    }

    /** A deployment with what it started, or {@code nothing}: why it started nothing. */
    record DeploymentView(String id, String service, String version, List<String> instances, Instant at,
            Instant receivedAt, @Nullable Boolean repeated, List<FiringView> firings, @Nullable String nothing) {

        static DeploymentView of(Deployment deployment, @Nullable Boolean repeated, List<Firing> firings) {
            return new DeploymentView(deployment.id(), deployment.service(), deployment.version(),
                    deployment.instances(), deployment.at(), deployment.receivedAt(), repeated,
                    firings.stream().map(FiringView::of).toList(), firings.isEmpty()
                            ? "no plan of service " + deployment.service() + " waited for deployments then"
                            : null);
        }
    }

    /** A deployment in a list. */
    record DeploymentItem(String id, String version, List<String> instances, Instant at, Instant receivedAt) {}

    @PostMapping("/events/deployments")
    ResponseEntity<DeploymentView> report(InputStream body)
            throws InvalidDocumentException, DeploymentConflictException {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        DeploymentEvent report = DeploymentEventReader.read(RequestBodyReader.read(body), now);
        permissions.requireOperator(report.service());
        DeploymentService.Taken taken = deployments.take(report, now, UUID.randomUUID().toString());
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/events/deployments/" + taken.deployment().id()))
                .body(DeploymentView.of(taken.deployment(), taken.repeated(), taken.firings()));
    }

    @GetMapping("/events/deployments/{id}")
    DeploymentView get(@PathVariable String id) {
        return repository.find(id)
                .map(found -> DeploymentView.of(found, null, firings.ofDeployment(id)))
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no deployment " + id));
    }

    /** Returns the deployments of a service, newest first; empty when there were none. */
    @GetMapping("/services/{service}/deployments")
    Page<DeploymentItem> list(@PathVariable String service, @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        RunReadRepository.Position before = pageToken == null ? null : PageToken.read(pageToken);
        return Page.of(repository.ofService(service,
                before == null ? null : new DeploymentRepository.Position(before.submittedAt(), before.id()),
                RequestParameters.limit(limit) + 1), limit,
                one -> new DeploymentItem(one.id(), one.version(), one.instances(), one.at(), one.receivedAt()),
                one -> PageToken.after(one.at(), one.id()));
    }
}
