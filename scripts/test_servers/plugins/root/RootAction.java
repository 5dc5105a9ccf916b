package rirag.root;

import java.io.IOException;

import org.apache.lucene.util.Version;
import org.elasticsearch.Build;
import org.elasticsearch.action.ActionListener;
import org.elasticsearch.action.ActionRequest;
import org.elasticsearch.action.ActionRequestValidationException;
import org.elasticsearch.action.ActionResponse;
import org.elasticsearch.action.ActionType;
import org.elasticsearch.action.support.ActionFilters;
import org.elasticsearch.action.support.TransportAction;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.common.io.stream.StreamOutput;
import org.elasticsearch.injection.guice.Inject;
import org.elasticsearch.tasks.Task;
import org.elasticsearch.transport.TransportService;
import org.elasticsearch.xcontent.ToXContentObject;
import org.elasticsearch.xcontent.XContentBuilder;

/**
 * Tells name and version of the server. It has the name of the action that a complete server runs
 * for {@code GET /}, so that the same right is asked for.
 */
public final class RootAction extends TransportAction<RootAction.Request, RootAction.Answer> {
    static final ActionType<Answer> TYPE = new ActionType<>("cluster:monitor/main");

    private final ClusterService cluster;

    @Inject
    public RootAction(TransportService transport, ActionFilters filters, ClusterService cluster) {
        super(TYPE.name(), filters, transport.getTaskManager(), Runnable::run);
        this.cluster = cluster;
    }

    @Override
    protected void doExecute(Task task, Request request, ActionListener<Answer> listener) {
        listener.onResponse(
            new Answer(
                cluster.getNodeName(),
                cluster.getClusterName().value(),
                cluster.state().metadata().clusterUUID()
            )
        );
    }

    static final class Request extends ActionRequest {
        @Override
        public ActionRequestValidationException validate() {
            return null;
        }
    }

    static final class Answer extends ActionResponse implements ToXContentObject {
        private final String node;
        private final String cluster;
        private final String uuid;

        Answer(String node, String cluster, String uuid) {
            this.node = node;
            this.cluster = cluster;
            this.uuid = uuid;
        }

        @Override
        public void writeTo(StreamOutput out) {
            throw new UnsupportedOperationException("never leaves this node");
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder json, Params params) throws IOException {
            var build = Build.current();
            json.startObject();
            json.field("name", node).field("cluster_name", cluster).field("cluster_uuid", uuid);
            json.startObject("version");
            json.field("number", build.version()).field("build_flavor", build.flavor());
            json.field("build_type", build.type().displayName()).field("build_hash", build.hash());
            json.field("build_date", build.date()).field("build_snapshot", build.isSnapshot());
            json.field("lucene_version", Version.LATEST.toString());
            json.field("minimum_wire_compatibility_version", build.minWireCompatVersion());
            json.field("minimum_index_compatibility_version", build.minIndexCompatVersion());
            json.endObject();
            return json.field("tagline", "You Know, for Search").endObject();
        }
    }
}
