"""Ray workers make the same index, whoever dies on the way. `make ray` runs all of it."""

import os
import signal
import time

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag import Components, RagConfig, build_index_graph, index_vault
from obsirag.components import rebuild_index
from obsirag.errors import ConfigError
from ray_worlds import RayWorld, indexed, ray_with_trial_parts

thorough = pytest.mark.skipif(not os.environ.get("OBSIRAG_TEST_RAY"), reason="set OBSIRAG_TEST_RAY=1 (`make ray`)")


@pytest.fixture(scope="module")
def ray(tmp_path_factory):
    with ray_with_trial_parts(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def world(ray, tmp_path):
    return RayWorld(tmp_path, 60)


def test_the_index_is_the_same_and_nothing_is_done_in_this_process(world):
    config = world.config("index")
    report = index_vault(config)
    assert (len(report.added), report.failed) == (60, ())
    for what in ("cleaning", "embedding"):
        pids = (world.told / what).read_text().split()
        assert pids
        assert str(os.getpid()) not in pids
    assert indexed(config) == world.fresh()
    done = world.count("cleaning"), world.count("embedding")
    assert len(index_vault(config).unchanged) == 60
    assert (world.count("cleaning"), world.count("embedding")) == done


@pytest.mark.parametrize("moment", ["cleaning", "embedding"])
def test_a_worker_that_is_killed_costs_nothing(world, moment):
    world.tell(f"die at {moment}")
    config = world.config("index")
    assert not index_vault(config).failed
    assert not (world.told / f"die at {moment}").exists()
    assert indexed(config) == world.fresh()


@thorough
def test_workers_that_are_taken_away_for_good_are_replaced(world, ray, monkeypatch):
    from obsirag.components.ray_workers import Workers

    started = []
    start = Workers._start
    monkeypatch.setattr(Workers, "_start", lambda self: started.append(start(self)) or started[-1])
    taken = []

    def take_one(done, total, path):
        if done in (20, 40):
            taken.append(started[len(taken)])
            ray.kill(taken[-1].actor)

    config = world.config("index")
    assert not index_vault(config, progress=take_one).failed
    assert len(taken) == 2
    assert len(started) > 2
    assert indexed(config) == world.fresh()


@thorough
def test_a_note_over_which_workers_die_is_the_only_one_that_fails(world):
    (world.vault / "note 30.md").write_text("DEADLY\n", encoding="utf-8")
    config = world.config("index")
    report = index_vault(config)
    assert [(each.path, each.code) for each in report.failed] == [("note 30.md", "not-indexed")]
    assert "workers died" in report.failed[0].message
    assert len(report.added) == 59
    (world.vault / "note 30.md").write_text("Harmless.\n", encoding="utf-8")
    assert not index_vault(config).failed
    assert indexed(config) == world.fresh()


@thorough
def test_the_workers_wait_for_a_slow_committer(ray, tmp_path):
    world = RayWorld(tmp_path, 160)
    ahead = []

    def slow(done, total, path):
        if done % 20 == 1:
            time.sleep(0.5)
            ahead.append(world.count("cleaning") - done)

    config = world.config("index")
    assert not index_vault(config, progress=slow).failed
    assert 8 < max(ahead) <= 2 * 4 * 8
    assert indexed(config) == world.fresh()


@thorough
def test_a_slow_embedder_changes_nothing(world):
    world.tell("slow")
    config = world.config("index")
    assert not index_vault(config).failed
    (world.told / "slow").unlink()
    assert indexed(config) == world.fresh()


@thorough
def test_what_a_failing_embedder_left_out_is_made_up_for(world):
    config = world.config("index")

    def fail_for_a_while(done, total, path):
        if done == 20:
            world.tell("down")

    failed = index_vault(config, progress=fail_for_a_while).failed
    assert {each.code for each in failed} == {"embedding-failed"}
    assert "ConnectionError" in failed[0].message
    (world.told / "down").unlink()
    assert not index_vault(config).failed
    assert indexed(config) == world.fresh()


@thorough
@pytest.mark.parametrize("moment", [1, 30])
def test_what_a_killed_committer_left_is_finished_by_the_next_run(world, moment):
    world.tell("slow")
    process = world.start("index")
    limit = time.monotonic() + 120
    while world.count("cleaning") < moment and time.monotonic() < limit:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.join(30)
    assert process.exitcode == -signal.SIGKILL
    (world.told / "slow").unlink()
    config = world.config("index")
    assert not index_vault(config).failed
    assert indexed(config) == world.fresh()


@thorough
def test_a_rebuild_and_the_graph_of_indexing_use_the_workers_too(world):
    config = world.config("index")
    report = build_index_graph(config).compile().invoke({})["report"]
    assert len(report.added) == 60
    fresh = world.fresh()
    assert indexed(config) == fresh
    embedded, pids = world.count("embedding"), (world.told / "cleaning").read_text()
    assert rebuild_index(config).embedded == report.embedded
    assert world.count("embedding") > embedded
    assert str(os.getpid()) not in (world.told / "cleaning").read_text().removeprefix(pids).split()
    assert indexed(config) == fresh


@thorough
def test_parts_that_only_this_process_has_are_refused_before_anything_is_written(world):
    config = world.config("index")
    with pytest.raises(ConfigError, match=r"its embeddings would come out otherwise.*given ready in Python"):
        index_vault(config, components=Components(embeddings=DeterministicFakeEmbedding(size=8)))
    assert indexed(config)["notes"] == []


@thorough
def test_secrets_are_read_where_the_workers_are(world, monkeypatch):
    monkeypatch.setenv("KEY_THAT_ONLY_THIS_PROCESS_HAS", "x")
    part = {"name": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1"}
    config = world.config("index", embeddings=part | {"api_key": {"env": "KEY_THAT_ONLY_THIS_PROCESS_HAS"}})
    with pytest.raises(ConfigError, match=r"worker on .* KEY_THAT_ONLY_THIS_PROCESS_HAS, which is not set"):
        index_vault(config)


@thorough
@pytest.mark.parametrize("store", ["memory", "milvus"])
def test_all_sample_vaults_come_out_the_same(ray, test_data, tmp_path, store):
    if store == "milvus":
        pytest.importorskip("milvus_lite")
    for vault in sorted((test_data / "vaults").iterdir()):
        told = {}
        for engine in ("local", "ray"):
            config = RagConfig(
                vault=vault,
                index=tmp_path / f"{vault.name} {engine}",
                embeddings={"name": "hashing", "dimensions": 64},
                vector_store=store,
                indexing={"engine": engine},
            )
            report = index_vault(config)
            told[engine] = (report.added, report.failed, report.diagnostics), indexed(config), stored(config)
        assert told["ray"] == told["local"]
        print(f"{vault.name}: {len(told['ray'][1]['chunks'])} chunks")


def stored(config):
    """Return what the vector store holds, where it is another place than the catalogue."""
    if config.vector_store.name == "memory":
        return None
    from obsirag.components import build_components
    from obsirag.components.build import store_opener

    store = store_opener(config)(build_components(config, kinds=("embeddings",)).embeddings)
    return sorted((each.id, each.page_content, sorted(each.metadata.items())) for each in store.get_by_ids(store.ids()))
