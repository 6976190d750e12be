// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.contract.consumer.SkippedRecordException;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.schedule.Deployment;
import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.service.kafka.DeploymentListener;
import io.redliner.controller.service.persistence.DeploymentRepository;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.InstanceFactsRepository;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores the deployments that CI/CD reports, each once, however often and to however many controllers it is reported. */
public final class DeploymentService implements DeploymentListener {

    private final DeploymentRepository deployments;

    private final DeploymentFiringHandler firings;

    private final FiringRepository firingRepository;

    private final InstanceFactsRepository facts;

    private final TransactionTemplate transaction;

    private final InstantSource clock;

    DeploymentService(DeploymentRepository deployments, DeploymentFiringHandler firings,
            FiringRepository firingRepository, InstanceFactsRepository facts,
            TransactionTemplate transaction, InstantSource clock) {
        this.facts = facts;
        this.deployments = deployments;
        this.firings = firings;
        this.firingRepository = firingRepository;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * A deployment as it is kept now.
     *
     * @param repeated whether it was reported before
     * @param firings what it started, or will
     */
    public record Taken(Deployment deployment, boolean repeated, List<Firing> firings) {}

    @Override
    public void deployment(String text, Instant reportedAt, String position) throws SkippedRecordException {
        try {
            take(DeploymentEventReader.read(text, reportedAt), reportedAt.truncatedTo(ChronoUnit.MILLIS), position);
        } catch (InvalidDocumentException invalid) {
            throw new SkippedRecordException("poisoned", String.valueOf(invalid.getMessage()));
        } catch (DataIntegrityViolationException impossible) {
            // The database is there and will never take it.
            throw new SkippedRecordException("poisoned", String.valueOf(impossible.getMessage()));
        } catch (DeploymentConflictException conflict) {
            throw new SkippedRecordException("conflict", String.valueOf(conflict.getMessage()));
        }
    }

    /**
     * Stores a deployment, and attempts its firings at once.
     *
     * @param reportedAt when it was reported
     * @param otherId its id, when it has none of its own
     * @throws DeploymentConflictException when its id was used for another one
     */
    public Taken take(DeploymentEvent report, Instant reportedAt, String otherId) throws DeploymentConflictException {
        Deployment deployment = new Deployment(report.id() == null ? otherId : report.id(), report.service(),
                report.version(), report.instances(), report.at() == null ? reportedAt : report.at(), clock.instant());
        Optional<List<Firing>> planned = Objects.requireNonNull(transaction.execute(status -> add(deployment)
                ? Optional.of(firings.plan(deployment.id(), deployment.service(), deployment.at(), reportedAt))
                : Optional.empty()));
        if (planned.isPresent()) {
            return new Taken(deployment, false, firings.start(planned.get()));
        }
        Deployment known = deployments.find(deployment.id()).orElseThrow();
        if (!known.sameAs(deployment)) {
            throw new DeploymentConflictException(deployment.id());
        }
        return new Taken(known, true, firingRepository.ofDeployment(known.id()));
    }

    /** Stores the version of the deployment's instances in the same transaction, so that all runs from then on find it. */
    private boolean add(Deployment deployment) {
        boolean added = deployments.add(deployment);
        if (added && !deployment.instances().isEmpty()) {
            Instant at = deployment.at().isAfter(deployment.receivedAt()) ? deployment.receivedAt() : deployment.at();
            facts.deployed(deployment.service(), deployment.instances(), deployment.version(), at);
        }
        return added;
    }
}
