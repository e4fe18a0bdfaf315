// The pile in Bullet. Its tolerances are absolute and meant for bodies of about a metre: lengths are stretched so that
// a radius is 1, and gravity with them.
#include <btBulletDynamicsCommon.h>

#include "bench/peers/pile_scene.hpp"

namespace nsmc::bench {

namespace {

class BulletPile final : public PeerPile {
 public:
  BulletPile(const PileScene& scene, int sweeps)
      : scene_(scene),
        stretch_(1 / scene.r),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        sphere_(static_cast<btScalar>(scene.r * stretch_)) {
    world_.setGravity(btVector3(0, 0, static_cast<btScalar>(-scene.g * stretch_)));
    world_.getSolverInfo().m_numIterations = sweeps;
    const double half = scene.half();
    add_plane({0, 0, 1}, 0);
    add_plane({1, 0, 0}, -half);
    add_plane({-1, 0, 0}, -half);
    add_plane({0, 1, 0}, -half);
    add_plane({0, -1, 0}, -half);
    btVector3 inertia;
    sphere_.calculateLocalInertia(static_cast<btScalar>(scene.m), inertia);
    for (int i = 0; i < scene.n; ++i) {
      const btTransform at(btQuaternion::getIdentity(), stretched(scene.position(i)));
      btRigidBody& body = add(static_cast<btScalar>(scene.m), at, &sphere_, inertia);
      body.setLinearVelocity(stretched(scene.velocity(i)));
      body.setActivationState(DISABLE_DEACTIVATION);
      spheres_.push_back(&body);
    }
  }
  ~BulletPile() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(static_cast<btScalar>(scene_.dt), 0); }

  PileState state() const override {
    PileState state;
    for (const btRigidBody* body : spheres_) {
      state.position.push_back(shrunk(body->getCenterOfMassPosition(), stretch_));
      state.velocity.push_back(shrunk(body->getLinearVelocity(), stretch_));
      state.spin.push_back(shrunk(body->getAngularVelocity(), 1));
    }
    return state;
  }

 private:
  btVector3 stretched(const std::array<double, 3>& x) const {
    return {static_cast<btScalar>(stretch_ * x[0]), static_cast<btScalar>(stretch_ * x[1]),
            static_cast<btScalar>(stretch_ * x[2])};
  }
  static std::array<double, 3> shrunk(const btVector3& x, double stretch) {
    return {x.x() / stretch, x.y() / stretch, x.z() / stretch};
  }
  void add_plane(const std::array<double, 3>& normal, double offset) {
    const btVector3 n(static_cast<btScalar>(normal[0]), static_cast<btScalar>(normal[1]),
                      static_cast<btScalar>(normal[2]));
    planes_.push_back(std::make_unique<btStaticPlaneShape>(n, static_cast<btScalar>(offset * stretch_)));
    add(0, btTransform::getIdentity(), planes_.back().get(), btVector3(0, 0, 0));
  }
  btRigidBody& add(btScalar mass, const btTransform& at, btCollisionShape* shape, const btVector3& inertia) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    info.m_friction = static_cast<btScalar>(std::sqrt(scene_.mu));  // those of two bodies are multiplied
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    world_.addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }

  PileScene scene_;
  double stretch_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btSphereShape sphere_;
  std::vector<std::unique_ptr<btStaticPlaneShape>> planes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btRigidBody*> spheres_;
};

}  // namespace

std::unique_ptr<PeerPile> bullet_pile(const PileScene& scene, int sweeps) {
  return std::make_unique<BulletPile>(scene, sweeps);
}

}  // namespace nsmc::bench
